// Package fixture owns several kinds in a loop, all with one predicate.
package fixture

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// ThingReconciler reconciles Things.
type ThingReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

// Reconcile brings the cluster in line with a Thing.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	configMap := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, configMap, func() error {
		configMap.Data = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, configMap, r.Scheme)
	})
	if err != nil {
		return ctrl.Result{}, err
	}

	binding := &rbacv1.RoleBinding{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	if err := controllerutil.SetControllerReference(thing, binding, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, binding))
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	b := ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{})
	for _, output := range []client.Object{&corev1.ConfigMap{}, &networkingv1.Ingress{}, &rbacv1.RoleBinding{}} {
		b.Owns(output, builder.WithPredicates(predicate.GenerationChangedPredicate{})) // want "blindpredicate: .*edits of corev1.ConfigMap, rbacv1.RoleBinding, which"
	}
	return b.Complete(r)
}
