// Package fixture owns a kind only where its API is served, and writes it under the
// same condition.
package fixture

import (
	"context"

	networkingv1 "k8s.io/api/networking/v1"
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
	Scheme     *runtime.Scheme
	hasRoutes  bool
	hasIngress bool
}

var route = schema.GroupVersionKind{Group: "route.openshift.io", Version: "v1", Kind: "Route"}

// Reconcile brings the cluster in line with a Thing.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	switch {
	case r.hasRoutes:
		obj := &unstructured.Unstructured{}
		obj.SetGroupVersionKind(route)
		return ctrl.Result{}, r.expose(ctx, thing, obj)
	case r.hasIngress:
		return ctrl.Result{}, r.expose(ctx, thing, &networkingv1.Ingress{})
	}
	return ctrl.Result{}, nil
}

func (r *ThingReconciler) expose(ctx context.Context, thing *thingapi.Thing, obj client.Object) error {
	obj.SetName(thing.Name)
	obj.SetNamespace(thing.Namespace)
	if err := controllerutil.SetControllerReference(thing, obj, r.Scheme); err != nil {
		return err
	}
	return client.IgnoreAlreadyExists(r.Create(ctx, obj))
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	_, err := mgr.GetRESTMapper().RESTMapping(route.GroupKind(), route.Version)
	r.hasRoutes = err == nil
	r.hasIngress = !r.hasRoutes

	b := ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{})
	if r.hasRoutes {
		obj := &unstructured.Unstructured{}
		obj.SetGroupVersionKind(route)
		b = b.Owns(obj)
	} else {
		b = b.Owns(&networkingv1.Ingress{})
	}
	return b.Complete(r)
}
