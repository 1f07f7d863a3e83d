// Package ctxloop reports retry and poll loops that do not observe
// cancellation.
//
// # Analyzer ctxloop
//
// ctxloop: report retry and poll loops that do not observe cancellation
//
// A loop that sleeps, receives from a timer or retries through a library goes
// on after its context is done, unless something in it checks the context. A
// newer spec cannot pre-empt the reconcile that runs the loop. Its worker does
// nothing else for as long as the loop takes. When the manager is told to
// stop, it is killed in the middle of the loop. In the metrics,
// controller_runtime_active_workers stays at its maximum and
// workqueue_longest_running_processor_seconds climbs, while
// controller_runtime_reconcile_total stands still. In one operator that
// drained an Elasticsearch node, the retries of an HTTP client went on for
// hours after the user had withdrawn the scale-in
// (https://github.com/zalando-incubator/es-operator/pull/424).
//
// Wrong, although the call gets ctx, because the loop goes on after its error:
//
//	for {
//		if node, err := nodes.Get(ctx, name, opts); err == nil && ready(node) {
//			return nil
//		}
//		time.Sleep(10 * time.Second)
//	}
//
// Right:
//
//	for {
//		if node, err := nodes.Get(ctx, name, opts); err == nil && ready(node) {
//			return nil
//		}
//		select {
//		case <-ctx.Done():
//			return ctx.Err()
//		case <-time.After(10 * time.Second):
//		}
//	}
//
// Polls and retries of wait, client-go, cenkalti/backoff, avast/retry-go,
// resty and go-retryablehttp are loops, too, and so are helpers of your own.
// A loop that waits for what others send is reported if it has no way out.
// If a function with a context reaches the loop in its package, the finding is
// at the loop. Otherwise it is at the call in the package that has the
// context. There are two grades: a loop "never observes" its context, or
// notices it "only after" a wait, if it sleeps between its checks. An error of
// a read through a manager's client is no check, because the cache ignores the
// context.
//
// The rule also reports a function that returns nil after cancellation has
// ended its wait, as it does when it got what it waited for. To its caller, an
// interrupted drain looks like success.
//
// It is silent when
//   - no function with a context can reach the loop: in main, command lines
//     and what is below cmd/, in tests, and in set-up code before the manager
//     runs, except for the goroutines that it starts;
//   - no reconcile, worker, runnable or server of a program reaches the loop,
//     and nothing that ends a context or waits for others: it belongs to the
//     start of the process, or nobody uses it, or the program is a tool that
//     neither watches nor changes what is in a cluster. The command sees this;
//   - no caller gives the function a context that ends: all pass context.Background, or the
//     context of a function that gets that. A caller with another context is reported in its
//     place. The command sees this, too;
//   - the loop runs in a goroutine that nobody waits for, has a way out, and
//     its context ends with the process only: a go statement or a pool starts
//     it, and no WaitGroup, channel or group joins it. A loop that never ends
//     leaves one more goroutine behind each time, and one whose context is
//     cancelled or has a time limit makes that useless: these are reported,
//     unless the set-up of the controllers starts it, so that it starts once, or
//     only main does, which the command sees. If another package starts it, it is
//     reported where what runs with the controllers calls that package;
//   - the loop waits for a CustomResourceDefinition or for a free port, as a
//     starting process does, and nothing in its package runs later;
//   - the waits are known to take no more than 5s in all, or 15s where nothing
//     that runs with the controllers is known to reach them, or each wait
//     between two checks of the context no more than 5s, by the default of a
//     setting, where the command finds one;
//   - another signal ends the loop: a stop channel, an atomic flag, a flag
//     under a mutex, a key that other functions delete from a map beside a
//     mutex, a queue that is shut down;
//   - the context was detached on purpose: by context.WithoutCancel, or in
//     clean-up, which is deferred, or runs after the context was found done,
//     or has a time limit and a function whose name says that it cleans up;
//   - it depends on something unknown: a function value from elsewhere,
//     options or a policy made in another package.
//
// Where the wait is bounded, and the bound is known, the message says so: "for up
// to 14s". That is without the time that the attempts take.
//
// Two options tell it more. ctxloop.max-wait (default 5s) is the wait in all
// that is accepted, three times that where nothing that runs with the
// controllers is known to reach it, and also the wait between two checks.
// functions.waits names functions that wait though their code does not show it.
//
// To suppress a finding, write on its line or above it
//
//	//operatorvet:ignore ctxloop the reason why
package ctxloop
