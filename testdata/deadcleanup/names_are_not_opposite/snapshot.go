// Package snapshot deletes something else than it has created when its wait is
// over, or the same thing under another name: nothing tells that it undoes.
package snapshot

import (
	"context"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Snapshots struct {
	client.Client
	Finished func(ctx context.Context) (bool, error)
}

func (s *Snapshots) Take(ctx context.Context, job *batchv1.Job, old *corev1.ConfigMap) error {
	if err := s.Create(ctx, job); err != nil {
		return err
	}
	if err := wait.PollUntilContextCancel(ctx, 5*time.Second, true, s.Finished); err != nil {
		return err
	}
	if err := s.Delete(ctx, old); err != nil {
		return err
	}
	return s.settle(ctx, job)
}

func (s *Snapshots) settle(ctx context.Context, job *batchv1.Job) error {
	return s.Delete(ctx, job)
}
