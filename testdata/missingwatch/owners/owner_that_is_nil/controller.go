// Package fixture has a helper that sets a controller reference only if it gets an
// owner.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

func create(ctx context.Context, c client.Client, name string, owner *thingapi.Thing) error {
	config := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "things"}}
	if owner != nil {
		if err := controllerutil.SetControllerReference(owner, config, c.Scheme()); err != nil {
			return err
		}
	}
	return client.IgnoreAlreadyExists(c.Create(ctx, config)) // want "missingwatch: .*ConfigMap.*controller reference"
}

func createSecret(ctx context.Context, c client.Client, name string, owner *thingapi.Thing) error {
	if owner == nil {
		return nil
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "things"}}
	if err := controllerutil.SetControllerReference(owner, secret, c.Scheme()); err != nil {
		return err
	}
	return client.IgnoreAlreadyExists(c.Create(ctx, secret))
}

// OfNobody passes nil: the ConfigMap has no owner, and there is no Secret.
type OfNobody struct{ client.Client }

// Reconcile creates the ConfigMap.
func (r *OfNobody) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := create(ctx, r.Client, req.Name, nil); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, createSecret(ctx, r.Client, req.Name, nil)
}

// SetupWithManager registers the reconciler.
func (r *OfNobody) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}).
		Complete(r)
}

// OfThing passes the Thing.
type OfThing struct{ client.Client }

// Reconcile creates the ConfigMap and the Secret.
func (r *OfThing) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := create(ctx, r.Client, req.Name, thing); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, createSecret(ctx, r.Client, req.Name, thing)
}

// SetupWithManager registers the reconciler.
func (r *OfThing) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}).
		Owns(&corev1.Secret{}).
		Complete(r)
}
