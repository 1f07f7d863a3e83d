// Package fixture writes an Event and a Lease. Nobody needs to repair these.
package fixture

import (
	"context"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/ptr"
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

// Reconcile brings the cluster in line with a Thing.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	message := &corev1.Event{
		ObjectMeta:     metav1.ObjectMeta{GenerateName: thing.Name + "-", Namespace: thing.Namespace},
		InvolvedObject: corev1.ObjectReference{Kind: "Thing", Name: thing.Name, Namespace: thing.Namespace, UID: thing.UID},
		Reason:         "Reconciled",
		Type:           corev1.EventTypeNormal,
	}
	if err := r.Create(ctx, message); err != nil {
		return ctrl.Result{}, err
	}
	lease := &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, lease, func() error {
		lease.Spec.HolderIdentity = ptr.To("thing-controller")
		return controllerutil.SetControllerReference(thing, lease, r.Scheme)
	})
	return ctrl.Result{}, err
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}
