// Package fixture keeps what a Thing was in ControllerRevisions, for roll-backs:
// a history, which nobody changes and nobody brings back.
package fixture

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// Reconciler reconciles Things.
type Reconciler struct{ client.Client }

// Reconcile records the revision that a Thing is at.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	revision := &appsv1.ControllerRevision{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-" + thing.Spec.Image, Namespace: thing.Namespace},
		Data:       runtime.RawExtension{Raw: []byte(thing.Spec.Image)},
		Revision:   thing.Generation,
	}
	if err := ctrl.SetControllerReference(thing, revision, r.Scheme()); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, revision))
}

// SetupWithManager registers the controller.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Complete(r)
}
