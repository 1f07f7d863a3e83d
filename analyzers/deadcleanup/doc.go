// Package deadcleanup reports clean-up that runs on a cancelled context.
//
// # Analyzer deadcleanup
//
// deadcleanup: report clean-up that runs on a cancelled context
//
// A call on a context that is done fails before anything is sent. Clean-up made
// so never happens, and mostly nobody looks at its error. In the cluster you see
// what should have gone: a status that keeps its old condition though the
// controller has worked, a node cordoned for ever, temporary pods that nobody
// owns, "context canceled" as the only trace in the log. So pods were left behind
// by interrupted requests (https://github.com/kptdev/kpt/pull/2992), an issuer's
// status was not written because a later defer cancels first
// (https://github.com/cert-manager/cert-manager/pull/3833), and a node whose
// drain was cut short stayed on a search cluster's exclusion list
// (https://github.com/zalando-incubator/es-operator/pull/424).
//
// Wrong, because deferred calls run last-in first-out, and because the function
// literal loads ctx when it runs:
//
//	defer func() { err = errors.Join(err, r.Status().Update(ctx, thing)) }()
//	ctx, cancel := context.WithTimeout(ctx, time.Minute)
//	defer cancel()
//
// Right:
//
//	defer func() {
//		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
//		defer cancel()
//		err = errors.Join(err, r.Status().Update(ctx, thing))
//	}()
//
// Reported are writes to the cluster, HTTP and gRPC requests, SQL statements and
// commands, and your own functions that make them, where their context has
// certainly been cancelled: by a defer statement after theirs, by a call of its
// cancel function or of its errgroup's Wait, or where the code has found it done:
// in the case of a select that receives from ctx.Done(), after such a receive,
// where ctx.Err() is not nil.
//
// Also reported is an undo on a context that may have ended the wait before it,
// or that is not called when a context ends the wait: the mark set before stays.
// A deferred call that happens only on failure is an undo, and so is one with the
// opposite name of an earlier call on the same things (Create and Delete, Cordon
// and Uncordon), or with the opposite boolean constant:
//
//	r.exclude(ctx, node)
//	defer r.include(ctx, node)
//	return r.waitUntilEmpty(ctx, node)
//
// And so is what is to happen after a wait within one time limit that the
// function sets for both, such as the status that tells that the wait took too
// long (https://github.com/crossplane/crossplane/issues/6571).
//
// It is silent when
//   - the context is detached (context.WithoutCancel, context.Background), or
//     only perhaps the one that is cancelled;
//   - what is called ignores the context, or nothing leaves the process: logs,
//     metrics, traces, events, reads from a cache, mutexes, the rollback of a
//     database/sql transaction;
//   - a status is written by a deferred function and only the caller can cancel
//     the context: the next reconcile writes it;
//   - the wait is as short as ctxloop lets pass, or nothing tells that a call is the undo of
//     another;
//   - what decides is unknown: a function value from elsewhere, an interface
//     implemented in another package;
//   - the package serves tests.
//
// To suppress a finding, write on the line or above it
//
//	//operatorvet:ignore deadcleanup the reason why
package deadcleanup
