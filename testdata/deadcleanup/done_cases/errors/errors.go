// Package errors asks for the context's error before it writes.
package errors

import (
	"context"
	"errors"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// ErrorOfContextIsAskedBeforeTheWrite wants to say that it ran out of time, and
// has none left to do so.
type ErrorOfContextIsAskedBeforeTheWrite struct {
	client.Client
	Dump func(ctx context.Context) error
}

func (b *ErrorOfContextIsAskedBeforeTheWrite) Run(ctx context.Context, job *batchv1.Job) error {
	ctx, cancel := context.WithTimeout(ctx, time.Hour)
	defer cancel()
	err := b.Dump(ctx)
	if ctx.Err() != nil {
		job.Annotations["backup"] = "timed out"
		return errors.Join(err, b.Update(ctx, job)) // want "deadcleanup: Writer.Update runs on ctx, which is done here"
	}
	return err
}

// DeadlineIsAskedBeforeTheWrite compares the context's error in the ways that
// there are.
type DeadlineIsAskedBeforeTheWrite struct {
	client.Client
	Dump func(ctx context.Context) error
}

func (b *DeadlineIsAskedBeforeTheWrite) Run(ctx context.Context, job *batchv1.Job) error {
	ctx, cancel := context.WithTimeout(ctx, time.Hour)
	defer cancel()
	err := b.Dump(ctx)
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return b.Delete(ctx, job) // want "deadcleanup: Writer.Delete runs on ctx, which is done here"
	}
	if ctx.Err() == context.Canceled {
		return b.Delete(ctx, job) // want "deadcleanup: Writer.Delete runs on ctx, which is done here"
	}
	if context.Cause(ctx) != nil && !errors.Is(err, context.Canceled) {
		return b.Delete(ctx, job) // want "deadcleanup: Writer.Delete runs on ctx, which is done here"
	}
	return err
}

// DeferredWriteOnlyWhereContextIsAlive leaves the write to others when its
// context is done.
type DeferredWriteOnlyWhereContextIsAlive struct {
	client.Client
}

func (r *DeferredWriteOnlyWhereContextIsAlive) Report(ctx context.Context, configMap *corev1.ConfigMap, produce func(ctx context.Context) error) error {
	defer func() {
		if ctx.Err() == nil {
			_ = r.Update(ctx, configMap)
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	return produce(ctx)
}

// ContextIsDetachedWhereItIsDone writes on another context where its own is
// done.
type ContextIsDetachedWhereItIsDone struct {
	client.Client
}

func (r *ContextIsDetachedWhereItIsDone) Report(ctx context.Context, configMap *corev1.ConfigMap, produce func(ctx context.Context) error) error {
	err := produce(ctx)
	if ctx.Err() != nil {
		ctx = context.WithoutCancel(ctx)
	}
	return errors.Join(err, r.Update(ctx, configMap))
}

func (r *ContextIsDetachedWhereItIsDone) ReportInTime(ctx context.Context, configMap *corev1.ConfigMap, produce func(ctx context.Context) error) error {
	limited, cancel := context.WithTimeout(ctx, time.Minute)
	defer r.save(limited, configMap)
	defer cancel()
	return produce(limited)
}

// save detaches the context by itself.
func (r *ContextIsDetachedWhereItIsDone) save(ctx context.Context, configMap *corev1.ConfigMap) {
	if ctx.Err() != nil {
		_ = r.Update(context.WithoutCancel(ctx), configMap)
		return
	}
	_ = r.Update(ctx, configMap)
}
