// Package fixture writes through an interface that is implemented elsewhere;
// that it writes only the options know.
package fixture

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/testdata/missingwatch/options/function_that_the_options_call_a_write/apply"
	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// ThingReconciler reconciles Things.
type ThingReconciler struct {
	client.Client
	Applier apply.Applier
}

// Reconcile brings the cluster in line with a Thing.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	meta := metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}
	if err := r.Applier.Apply(ctx, thing, &corev1.ConfigMap{ObjectMeta: meta, Data: thing.Spec.Config}); err != nil {
		return ctrl.Result{}, err
	}
	if err := apply.Account(ctx, r.Applier, thing); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Applier.ApplyAll(ctx, &corev1.Service{ObjectMeta: meta}, &networkingv1.Ingress{ObjectMeta: meta})
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Service{}).
		Complete(r) // want "missingwatch: .*ConfigMap" "missingwatch: .*ServiceAccount" "missingwatch: .*Ingress"
}
