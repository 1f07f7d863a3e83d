// Package fixture has owners set through an interface that is implemented
// elsewhere: the Thing on the ConfigMap, which Owns sees, and the ConfigMap on the
// Secret, which it does not.
package fixture

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// Owners is implemented elsewhere.
type Owners interface {
	Adopt(owner, obj client.Object) error
}

// ThingReconciler reconciles Things.
type ThingReconciler struct {
	client.Client
	Owners Owners
}

// Reconcile brings the cluster in line with a Thing.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	meta := metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}
	config := &corev1.ConfigMap{ObjectMeta: meta, Data: thing.Spec.Config}
	if err := r.Owners.Adopt(thing, config); err != nil {
		return ctrl.Result{}, err
	}
	if err := client.IgnoreAlreadyExists(r.Create(ctx, config)); err != nil {
		return ctrl.Result{}, err
	}
	secret := &corev1.Secret{ObjectMeta: meta}
	if err := r.Owners.Adopt(config, secret); err != nil {
		return ctrl.Result{}, err
	}
	err := r.Create(ctx, secret) // want "missingwatch: .*Secret.*controller reference"
	return ctrl.Result{}, client.IgnoreAlreadyExists(err)
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}).
		Owns(&corev1.Secret{}).
		Complete(r)
}
