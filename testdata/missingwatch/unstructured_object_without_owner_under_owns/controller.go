// Package fixture owns an unstructured kind and applies an object of that kind
// with labels instead of an owner.
package fixture

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// ThingReconciler reconciles Things.
type ThingReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

func newRoute() *unstructured.Unstructured {
	route := &unstructured.Unstructured{}
	route.SetGroupVersionKind(schema.GroupVersionKind{Group: "gateway.networking.k8s.io", Version: "v1", Kind: "HTTPRoute"})
	return route
}

// Reconcile brings the cluster in line with a Thing.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	route := newRoute()
	route.SetName(thing.Name)
	route.SetNamespace(thing.Namespace)
	route.SetLabels(map[string]string{"thing": thing.Name})
	hosts := make([]any, 0, len(thing.Spec.Hosts))
	for _, host := range thing.Spec.Hosts {
		hosts = append(hosts, host)
	}
	if err := unstructured.SetNestedSlice(route.Object, hosts, "spec", "hostnames"); err != nil {
		return ctrl.Result{}, err
	}
	err := r.Patch(ctx, route, client.Apply, client.FieldOwner("thing")) // want "missingwatch: .*HTTPRoute.*controller reference"
	return ctrl.Result{}, err
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(newRoute()).
		Complete(r)
}
