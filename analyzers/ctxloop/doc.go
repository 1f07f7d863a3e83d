// Package ctxloop reports retry and poll loops that do not observe cancellation.
//
// # Analyzer ctxloop
//
// ctxloop: report retry and poll loops that do not observe cancellation
//
// A loop that sleeps, receives from a timer or retries through a library goes on
// after its context is done if nothing in it asks. The reconcile that runs it
// cannot be pre-empted by a newer spec, its worker is lost for as long as the
// loop takes, and the manager that is told to stop is killed in the middle of
// it. In the metrics, controller_runtime_active_workers stays at its maximum
// and workqueue_longest_running_processor_seconds climbs while
// controller_runtime_reconcile_total stands still. In one operator's drain of an Elasticsearch node the retries of an HTTP
// client went on for hours after the user had taken the scale-in back
// (https://github.com/zalando-incubator/es-operator/pull/424).
//
// Wrong, though ctx is handed to the call, because its error only continues:
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
// Polls and retries of wait, client-go, cenkalti/backoff, avast/retry-go, resty
// and go-retryablehttp are loops too, and so are helpers of your own. The loop
// is reported if a function with a context reaches it in its package, else the
// call in the package that has the context. The message tells two grades apart:
// a loop "never observes" its context, or notices it "only after" a wait, where
// a sleep stands between the checks. An error of a read through a manager's
// client is no check, for the cache ignores the context.
//
// Also reported is a wait that cancellation ends and whose function then returns
// nil, as it does when it got what it waited for: to the caller an interrupted
// drain looks like success.
//
// It is silent when
//   - nobody with a context can reach the loop: main, command lines and what is
//     below cmd/, tests, set-up code before the manager runs, except for the
//     goroutines it starts;
//   - it waits for a CustomResourceDefinition or for a port to be free, as a
//     process does that starts, and nothing in its package runs later;
//   - the waits are known to take no more than 1s in all, or one between two
//     checks of the context no more than 5s;
//   - another signal ends the loop: a stop channel, an atomic flag, a flag under
//     a mutex, a key that other functions delete from a map beside a mutex, a
//     queue that is shut down;
//   - the context was detached on purpose, by context.WithoutCancel, or in
//     clean-up: deferred, after the context was found done, or with a time limit
//     in a function that says so by its name;
//   - what decides is unknown: a function value from elsewhere, options or a
//     policy made in another package.
//
// Two options tell it more: ctxloop.max-wait (default 1s), the wait in all that
// passes, and one between two checks if it is more than 5s; and functions.waits,
// functions that wait where their code does not show it.
//
// To suppress a finding, write on the line or above it
//
//	//operatorvet:ignore ctxloop the reason why
package ctxloop
