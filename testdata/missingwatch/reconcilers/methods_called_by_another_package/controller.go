// Package fixture leaves it to another package to call the methods that write.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/missingwatch/reconcilers/methods_called_by_another_package/lifecycle"
	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// Owned sets an owner reference that is none of a controller, so Owns never sees
// the ConfigMap.
type Owned struct{ client.Client }

// SetupWithManager registers the reconciler.
func (r *Owned) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}).
		Complete(r)
}

// Reconcile leaves all to the other package.
func (r *Owned) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return lifecycle.Run(ctx, r.Client, req, &thingapi.Thing{}, r)
}

// Keep keeps a ConfigMap.
func (r *Owned) Keep(ctx context.Context, obj client.Object) error {
	config := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: obj.GetName(), Namespace: obj.GetNamespace()}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, config, func() error { // want "missingwatch: .*ConfigMap.*controller reference"
		config.Data = map[string]string{"owner": obj.GetName()}
		return controllerutil.SetOwnerReference(obj, config, r.Scheme())
	})
	return err
}

// Remove leaves all to the garbage collector.
func (r *Owned) Remove(ctx context.Context, obj client.Object) error { return nil }

// Controlled sets a controller reference, and another kind is not watched.
type Controlled struct{ client.Client }

// SetupWithManager registers the reconciler.
func (r *Controlled) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}).
		Complete(r) // want "missingwatch: .*ServiceAccount"
}

// Reconcile leaves all to the other package.
func (r *Controlled) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return lifecycle.Run(ctx, r.Client, req, &thingapi.Thing{}, r)
}

// Keep keeps a ConfigMap and a ServiceAccount.
func (r *Controlled) Keep(ctx context.Context, obj client.Object) error {
	config := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: obj.GetName(), Namespace: obj.GetNamespace()}}
	if _, err := controllerutil.CreateOrUpdate(ctx, r.Client, config, func() error {
		config.Data = map[string]string{"owner": obj.GetName()}
		return controllerutil.SetControllerReference(obj, config, r.Scheme())
	}); err != nil {
		return err
	}
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: obj.GetName(), Namespace: obj.GetNamespace()}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, account, func() error {
		return controllerutil.SetControllerReference(obj, account, r.Scheme())
	})
	return err
}

// Remove leaves all to the garbage collector.
func (r *Controlled) Remove(ctx context.Context, obj client.Object) error { return nil }

// Kept deletes a Secret while the Thing is being deleted, and creates nothing.
type Kept struct{ client.Client }

// SetupWithManager registers the reconciler.
func (r *Kept) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}

// Reconcile leaves all to the other package.
func (r *Kept) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return lifecycle.Run(ctx, r.Client, req, &thingapi.Thing{}, r)
}

// Keep keeps nothing.
func (r *Kept) Keep(ctx context.Context, obj client.Object) error { return nil }

// Remove deletes the Secret.
func (r *Kept) Remove(ctx context.Context, obj client.Object) error {
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: obj.GetName(), Namespace: obj.GetNamespace()}}
	return client.IgnoreNotFound(r.Delete(ctx, secret))
}
