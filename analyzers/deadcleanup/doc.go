// Package deadcleanup reports clean-up that runs on a cancelled context.
//
// # Analyzer deadcleanup
//
// deadcleanup: report clean-up that runs on a cancelled context
//
// A call with a context that is done fails before it sends anything. Such
// clean-up never happens, and most code ignores its error. In the cluster you
// see what should be gone: a status that keeps its old condition although the
// controller has worked, a node that stays cordoned, temporary pods without an
// owner. The only trace is "context canceled" in the log. Interrupted requests
// left pods behind (https://github.com/kptdev/kpt/pull/2992). The status of an
// issuer was not written, because a later defer cancels first
// (https://github.com/cert-manager/cert-manager/pull/3833). A node whose drain
// was interrupted stayed on a search cluster's exclusion list
// (https://github.com/zalando-incubator/es-operator/pull/424).
//
// Wrong, because deferred calls run last-in first-out, and because the
// function literal loads ctx when it runs:
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
// The rule looks at writes to the cluster, HTTP and gRPC requests, SQL
// statements, commands, the drains of kubectl, calls of other libraries whose
// name says that they remove something (they get a context, and return an
// error), and your own functions that make them. It reports such
// a call if its context is certainly cancelled: by a later defer statement, by
// a call of its cancel function or of its errgroup's Wait, or because the code
// has found it done. The code has found it done in the case of a select that
// receives from ctx.Done(), after such a receive, and where ctx.Err() is not
// nil. It is told so where the error of a call with ctx is context.Canceled, and
// where a manager's Start(ctx) has returned no error. Such a receive or Start
// also ends the context of what was deferred before.
//
// The rule also reports an undo whose context may have ended the wait before
// it, and an undo that is not called when a context ends the wait: what was
// done before stays. Where the context is that of an HTTP request, any write is
// such a wait: the client may go at any time. An undo is a deferred call that
// happens only on failure. It is also a call with the opposite name of an
// earlier call on the same things (Create and Delete, Cordon and Uncordon) or
// on what that has returned, or with the opposite boolean constant:
//
//	r.exclude(ctx, node)
//	defer r.include(ctx, node)
//	return r.waitUntilEmpty(ctx, node)
//
// And it reports a call that comes after a wait and shares a time limit with
// it that the function sets, such as a write of the status that the wait took
// too long (https://github.com/crossplane/crossplane/issues/6571).
//
// It is silent when
//   - the context is detached (context.WithoutCancel, context.Background), or
//     may be another one than the cancelled one;
//   - the called function ignores the context, or nothing leaves the process:
//     logs, metrics, traces, events, reads from a cache, mutexes, the rollback
//     of a database/sql transaction;
//   - a deferred function writes a status and only the caller can cancel the
//     context: the next reconcile writes it;
//   - the wait is one that ctxloop accepts as short, or nothing shows that a
//     call is the undo of another;
//   - it depends on something unknown: a function value from elsewhere, an
//     interface implemented in another package;
//   - the package serves tests.
//
// To suppress a finding, write on its line or above it
//
//	//operatorvet:ignore deadcleanup the reason why
package deadcleanup
