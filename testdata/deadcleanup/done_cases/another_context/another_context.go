// Package anothercontext writes on one context when another is done.
package anothercontext

import (
	"context"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// DoneOfAnotherContext acts for one context when another is done.
type DoneOfAnotherContext struct {
	client.Client
}

func (r *DoneOfAnotherContext) Run(ctx, session context.Context, holder *corev1.ConfigMap) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-session.Done():
		return r.Delete(ctx, holder)
	}
}

// DoneOfChildSaysNothingAboutParent runs out of the time that it has given to a
// part of its work.
type DoneOfChildSaysNothingAboutParent struct {
	client.Client
	Dump func(ctx context.Context) error
}

func (b *DoneOfChildSaysNothingAboutParent) Run(ctx context.Context, job *batchv1.Job) error {
	limited, cancel := context.WithTimeout(ctx, time.Hour)
	defer cancel()
	err := b.Dump(limited)
	if limited.Err() != nil {
		return b.Update(ctx, job)
	}
	select {
	case <-limited.Done():
		return b.Delete(ctx, job)
	default:
		return err
	}
}

// CleanUpOfAWaitOnAnotherContext waits on a context of its session, and cleans
// up on that of the request.
type CleanUpOfAWaitOnAnotherContext struct {
	client.Client
	Session context.Context
}

func (p *CleanUpOfAWaitOnAnotherContext) Probe(ctx, session context.Context, pod *corev1.Pod) error {
	if err := p.Create(ctx, pod); err != nil {
		return err
	}
	defer p.Delete(ctx, pod)
	return wait.PollUntilContextCancel(session, time.Second, true, func(ctx context.Context) (bool, error) {
		err := p.Get(ctx, client.ObjectKeyFromObject(pod), pod)
		return pod.Status.Phase == corev1.PodSucceeded, err
	})
}
