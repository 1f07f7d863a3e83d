// Package scalein takes back what it has marked if the scale-in fails. It fails
// when a newer spec cancels it, and then nothing is taken back.
package scalein

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

type Reconciler struct {
	client.Client
	Drained func(ctx context.Context, pod *corev1.Pod) bool
}

func (r *Reconciler) scaleIn(ctx context.Context, pods []corev1.Pod) (err error) {
	defer func() {
		if err == nil {
			return
		}
		if err := r.annotate(ctx, pods, nil); err != nil { // want "deadcleanup: Reconciler.annotate .Writer.Patch, scalein.go:.*. has no effect once ctx has ended the wait at scalein.go:.*"
			log.FromContext(ctx).Error(err, "Marks are left over")
		}
	}()
	if err := r.annotate(ctx, pods, map[string]string{"draining": "true"}); err != nil {
		return err
	}
	return wait.PollUntilContextTimeout(ctx, time.Second, time.Minute, true, func(ctx context.Context) (bool, error) {
		for i := range pods {
			if !r.Drained(ctx, &pods[i]) {
				return false, nil
			}
		}
		return true, nil
	})
}

func (r *Reconciler) annotate(ctx context.Context, pods []corev1.Pod, annotations map[string]string) error {
	for i := range pods {
		before := pods[i].DeepCopy()
		pods[i].Annotations = annotations
		if err := r.Patch(ctx, &pods[i], client.MergeFrom(before)); err != nil {
			return err
		}
	}
	return nil
}
