// Package node waits in its reconcile. The failure that it writes into the status
// is lost when the wait is cut short, which is no loss.
package node

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (_ ctrl.Result, err error) {
	node := new(corev1.Node)
	defer func() {
		if err != nil {
			_ = r.Status().Update(ctx, node)
		}
	}()
	return ctrl.Result{}, wait.PollUntilContextTimeout(ctx, time.Second, time.Minute, true, func(ctx context.Context) (bool, error) {
		err := r.Get(ctx, req.NamespacedName, node)
		return node.Spec.ProviderID != "", err
	})
}
