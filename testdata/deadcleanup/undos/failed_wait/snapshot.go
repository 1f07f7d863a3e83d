// Package snapshot deletes what it has created where its wait fails.
package snapshot

import (
	"context"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// NamesAreNotOpposite deletes something else than it has created when its wait
// is over, or the same thing under another name: nothing tells that it undoes.
type NamesAreNotOpposite struct {
	client.Client
	Finished func(ctx context.Context) (bool, error)
}

func (s *NamesAreNotOpposite) Take(ctx context.Context, job *batchv1.Job, old *corev1.ConfigMap) error {
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

func (s *NamesAreNotOpposite) settle(ctx context.Context, job *batchv1.Job) error {
	return s.Delete(ctx, job)
}

// FailedWaitIsUndoneOnItsContext deletes the job that did not finish, on the
// context that may be why it did not.
type FailedWaitIsUndoneOnItsContext struct {
	Clients kubernetes.Interface
}

func (s *FailedWaitIsUndoneOnItsContext) Take(ctx context.Context, job *batchv1.Job) error {
	if _, err := s.Clients.BatchV1().Jobs(job.Namespace).Create(ctx, job, metav1.CreateOptions{}); err != nil {
		return err
	}
	if err := s.waitFor(ctx, job); err != nil {
		_ = s.Clients.BatchV1().Jobs(job.Namespace).Delete(ctx, job.Name, metav1.DeleteOptions{}) // want "deadcleanup: JobInterface.Delete has no effect once ctx has ended the wait at .*snapshot.go:.*"
		return err
	}
	return nil
}

func (s *FailedWaitIsUndoneOnItsContext) waitFor(ctx context.Context, job *batchv1.Job) error {
	for {
		now, err := s.Clients.BatchV1().Jobs(job.Namespace).Get(ctx, job.Name, metav1.GetOptions{})
		if err == nil && now.Status.Succeeded > 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Second):
		}
	}
}
