// Package jobs notices cancellation by the error of a live read, but only once
// a long sleep is over.
package jobs

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"
)

type Reconciler struct {
	Clientset kubernetes.Interface
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	for { // want "ctxloop: .*only after"
		job, err := r.Clientset.BatchV1().Jobs(req.Namespace).Get(ctx, req.Name, metav1.GetOptions{})
		if err != nil {
			return ctrl.Result{}, err
		}
		if job.Status.Succeeded > 0 {
			return ctrl.Result{}, nil
		}
		time.Sleep(30 * time.Second)
	}
}
