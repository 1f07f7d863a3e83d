// Package fixture makes its objects inside a generic function, from nothing but
// the type argument.
package fixture

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
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

type object[T any] interface {
	*T
	client.Object
}

// upsert keeps the T named after the thing as fill wants it.
func upsert[T any, P object[T]](ctx context.Context, r *ThingReconciler, thing *thingapi.Thing, fill func(P)) error {
	obj := P(new(T))
	obj.SetName(thing.Name)
	obj.SetNamespace(thing.Namespace)
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, obj, func() error {
		fill(obj)
		return controllerutil.SetControllerReference(thing, obj, r.Scheme)
	})
	return err
}

// Reconcile brings the cluster in line with a Thing.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	err := upsert(ctx, r, thing, func(quota *corev1.ResourceQuota) {
		quota.Spec.Scopes = []corev1.ResourceQuotaScope{corev1.ResourceQuotaScopeNotTerminating}
	})
	return ctrl.Result{}, err
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: .*ResourceQuota"
}
