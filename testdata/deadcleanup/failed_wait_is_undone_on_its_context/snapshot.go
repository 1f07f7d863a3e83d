// Package snapshot deletes the job that did not finish, on the context that may
// be why it did not.
package snapshot

import (
	"context"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

type Snapshots struct {
	Clients kubernetes.Interface
}

func (s *Snapshots) Take(ctx context.Context, job *batchv1.Job) error {
	if _, err := s.Clients.BatchV1().Jobs(job.Namespace).Create(ctx, job, metav1.CreateOptions{}); err != nil {
		return err
	}
	if err := s.waitFor(ctx, job); err != nil {
		_ = s.Clients.BatchV1().Jobs(job.Namespace).Delete(ctx, job.Name, metav1.DeleteOptions{}) // want "deadcleanup: JobInterface.Delete has no effect once ctx has ended the wait at snapshot.go:.*"
		return err
	}
	return nil
}

func (s *Snapshots) waitFor(ctx context.Context, job *batchv1.Job) error {
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
