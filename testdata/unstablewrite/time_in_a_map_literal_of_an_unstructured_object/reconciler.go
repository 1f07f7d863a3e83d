// Package controller writes an unstructured object made of map literals.
package controller

import (
	"context"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	monitor := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "monitoring.example.com/v1",
		"kind":       "Probe",
		"metadata": map[string]any{
			"name":      req.Name,
			"namespace": req.Namespace,
			"labels":    map[string]any{"rendered": strconv.FormatInt(time.Now().Unix(), 10)}, // want "unstablewrite: time\\.Now "
		},
		"spec": map[string]any{"interval": "30s"},
	}}
	return ctrl.Result{}, r.Patch(ctx, monitor, client.Apply, client.FieldOwner("thing"), client.ForceOwnership)
}
