// Package fixture removes what an older version of the operator made. It makes
// none of it.
package fixture

import (
	"context"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

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

	service := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-legacy", Namespace: thing.Namespace}}
	if err := client.IgnoreNotFound(r.Delete(ctx, service)); err != nil {
		return ctrl.Result{}, err
	}
	obsolete := []client.Object{&corev1.ConfigMap{}, &batchv1.Job{}}
	for _, kind := range obsolete {
		err := r.DeleteAllOf(ctx, kind, client.InNamespace(thing.Namespace), client.MatchingLabels{"thing": thing.Name})
		if err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}
