// Package outputs applies its outputs side by side. The context of the group,
// which hides the one it was made from, is cancelled as soon as Wait returns.
package outputs

import (
	"context"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	node := new(corev1.Node)
	if err := r.Get(ctx, req.NamespacedName, node); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	group, ctx := errgroup.WithContext(ctx)
	for _, name := range []string{"a", "b"} {
		group.Go(func() error {
			return r.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: req.Namespace}})
		})
	}
	if err := group.Wait(); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Status().Update(ctx, node) // want "deadcleanup: SubResourceWriter.Update runs on ctx, which is cancelled at outputs.go:.*"
}
