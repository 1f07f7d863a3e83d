// Package controller writes a patch by hand, with the time inside.
package controller

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var node corev1.Node
	if err := r.Get(ctx, req.NamespacedName, &node); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	stamp := time.Now().Unix() // want "unstablewrite: time\\.Now .*Node"
	patch := fmt.Appendf(nil, `{"metadata":{"annotations":{"things.example.com/labelled":"%d"}}}`, stamp)
	return ctrl.Result{}, r.Patch(ctx, &node, client.RawPatch(types.MergePatchType, patch))
}
