// Package pods waits for a pod by sleeping between reads from the cache. The
// cache never looks at the context, so these reads do not notice that it is
// done, whatever is made of their errors.
package pods

import (
	"context"
	"errors"
	"time"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const attempts = 10

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := r.awaitRunning(ctx, req); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.awaitAll(ctx, req.Namespace)
}

func (r *Reconciler) awaitRunning(ctx context.Context, req ctrl.Request) error {
	for i := 0; i < attempts; i++ { // want "ctxloop: .*never observes"
		pod := &corev1.Pod{}
		err := r.Get(ctx, req.NamespacedName, pod)
		if err == nil && pod.Status.Phase == corev1.PodRunning {
			return nil
		}
		time.Sleep(time.Second)
	}
	return errors.New("bootstrap pod does not run")
}

func (r *Reconciler) awaitAll(ctx context.Context, namespace string) error {
	for { // want "ctxloop: .*never observes"
		var pods corev1.PodList
		if err := r.List(ctx, &pods, client.InNamespace(namespace)); err != nil {
			return err
		}
		if running(pods.Items) {
			return nil
		}
		time.Sleep(5 * time.Second)
	}
}

func running(pods []corev1.Pod) bool {
	for i := range pods {
		if pods[i].Status.Phase != corev1.PodRunning {
			return false
		}
	}
	return true
}
