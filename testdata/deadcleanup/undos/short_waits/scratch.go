// Package scratch takes back what it did after no wait or a short one.
package scratch

import (
	"context"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// DeferredUndoWithoutAWait undoes what it did, with nothing in between that
// takes long.
type DeferredUndoWithoutAWait struct {
	client.Client
}

func (r *DeferredUndoWithoutAWait) Run(ctx context.Context, pod *corev1.Pod) (err error) {
	if err := r.Create(ctx, pod); err != nil {
		return err
	}
	defer r.Delete(ctx, pod)
	return r.Get(ctx, client.ObjectKeyFromObject(pod), pod)
}

func (r *DeferredUndoWithoutAWait) RunTwice(ctx context.Context, pod, other *corev1.Pod) (err error) {
	defer func() {
		if err != nil {
			_ = r.Delete(ctx, pod)
		}
	}()
	if err := r.Create(ctx, pod); err != nil {
		return err
	}
	return r.Create(ctx, other)
}

// DeferredUndoAfterAShortWait waits for a second.
type DeferredUndoAfterAShortWait struct {
	client.Client
}

func (r *DeferredUndoAfterAShortWait) Run(ctx context.Context, pod *corev1.Pod) error {
	if err := r.Create(ctx, pod); err != nil {
		return err
	}
	defer r.Delete(ctx, pod)
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(time.Second):
	}
	return r.Get(ctx, client.ObjectKeyFromObject(pod), pod)
}

type VolumesClient interface {
	Resize(ctx context.Context, in *emptypb.Empty, opts ...grpc.CallOption) (*emptypb.Empty, error)
}

// RequestToAServiceBeforeDeferredRollBack takes back what it did where a
// service refuses. Its answer comes soon, one way or the other.
type RequestToAServiceBeforeDeferredRollBack struct {
	client.Client
	Service VolumesClient
}

func (v *RequestToAServiceBeforeDeferredRollBack) Resize(ctx context.Context, claim *corev1.PersistentVolumeClaim) (err error) {
	before := claim.DeepCopy()
	defer func() {
		if err != nil {
			_ = v.Patch(ctx, before, client.MergeFrom(claim))
		}
	}()
	claim.Labels["resizing"] = "true"
	if err := v.Update(ctx, claim); err != nil {
		return err
	}
	_, err = v.Service.Resize(ctx, new(emptypb.Empty))
	return err
}
