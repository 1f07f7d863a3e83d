package fixture

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// PartReconciler reconciles Parts.
type PartReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

// Reconcile brings the cluster in line with a Part.
func (r *PartReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	part := &thingapi.Part{}
	if err := r.Get(ctx, req.NamespacedName, part); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	config := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: part.Name + "-settings", Namespace: part.Namespace},
		Data:       part.Spec.Settings,
	}
	if err := controllerutil.SetControllerReference(part, config, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, config))
}

// SetupWithManager registers the controller.
func (r *PartReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Part{}).
		Owns(&corev1.ConfigMap{}).
		Complete(r)
}
