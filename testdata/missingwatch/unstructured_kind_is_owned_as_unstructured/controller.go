// Package fixture writes and owns a kind without Go types.
package fixture

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// ThingReconciler reconciles Things.
type ThingReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

var serviceMonitor = schema.GroupVersionKind{Group: "monitoring.coreos.com", Version: "v1", Kind: "ServiceMonitor"}

func newServiceMonitor() *unstructured.Unstructured {
	monitor := &unstructured.Unstructured{}
	monitor.SetGroupVersionKind(serviceMonitor)
	return monitor
}

// Reconcile brings the cluster in line with a Thing.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	monitor := newServiceMonitor()
	monitor.SetName(thing.Name)
	monitor.SetNamespace(thing.Namespace)
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, monitor, func() error {
		endpoints := []any{map[string]any{"port": "http"}}
		if err := unstructured.SetNestedSlice(monitor.Object, endpoints, "spec", "endpoints"); err != nil {
			return err
		}
		return controllerutil.SetControllerReference(thing, monitor, r.Scheme)
	})
	return ctrl.Result{}, err
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(newServiceMonitor()).
		Complete(r)
}
