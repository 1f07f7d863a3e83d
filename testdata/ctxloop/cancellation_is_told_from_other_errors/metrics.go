// Package metrics goes on after errors, except after those of its context.
package metrics

import (
	"context"
	"errors"
	"log"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"
)

type Reconciler struct {
	Clientset kubernetes.Interface
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	for {
		_, err := r.Clientset.CoreV1().Nodes().Get(ctx, req.Name, metav1.GetOptions{})
		if err == nil {
			break
		}
		if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			return ctrl.Result{}, err
		}
		time.Sleep(500 * time.Millisecond)
	}
	for {
		_, err := r.Clientset.CoreV1().Services(req.Namespace).Get(ctx, req.Name, metav1.GetOptions{})
		switch {
		case err == nil:
			return ctrl.Result{}, nil
		case ctx.Err() != nil:
			return ctrl.Result{}, context.Cause(ctx)
		}
		log.Printf("get service: %v", err)
		time.Sleep(time.Second)
	}
}
