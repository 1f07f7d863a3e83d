// Package rollout waits for events and for channels that close, not for time.
package rollout

import (
	"context"
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"
)

type Reconciler struct {
	Clientset kubernetes.Interface
	Elected   <-chan struct{}
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	<-r.Elected
	w, err := r.Clientset.AppsV1().Deployments(req.Namespace).Watch(ctx, metav1.SingleObject(metav1.ObjectMeta{Name: req.Name}))
	if err != nil {
		return ctrl.Result{}, err
	}
	defer w.Stop()
	for event := range w.ResultChan() { // closed when the context of the watch is done
		if event.Type == watch.Deleted {
			return ctrl.Result{}, nil
		}
	}
	return ctrl.Result{}, errors.New("watch ended")
}
