// Package nodes hands its context to every call, and goes on when the calls
// fail because it is cancelled.
package nodes

import (
	"context"
	"log"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"
)

type Reconciler struct {
	Clientset kubernetes.Interface
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, r.awaitReady(ctx, req.Name)
}

func (r *Reconciler) awaitReady(ctx context.Context, name string) error {
	for { // want "ctxloop: .*never observes"
		node, err := r.Clientset.CoreV1().Nodes().Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			log.Printf("get node %s: %v", name, err)
			time.Sleep(10 * time.Second)
			continue
		}
		if ready(node) {
			return nil
		}
		time.Sleep(10 * time.Second)
	}
}

func ready(node *corev1.Node) bool {
	for _, c := range node.Status.Conditions {
		if c.Type == corev1.NodeReady {
			return c.Status == corev1.ConditionTrue
		}
	}
	return false
}
