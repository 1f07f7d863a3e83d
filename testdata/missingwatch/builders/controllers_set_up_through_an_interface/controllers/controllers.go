// Package controllers has two controllers for one kind, one of which watches
// what it writes.
package controllers

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// ServiceReconciler gives each Thing a Service.
type ServiceReconciler struct{ client.Client }

// Reconcile creates the Service of a Thing.
func (r *ServiceReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	meta := metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}
	return ctrl.Result{}, ensure(ctx, r, req, &corev1.Service{ObjectMeta: meta})
}

// SetupWithManager registers the controller.
func (r *ServiceReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		Named("service").
		For(&thingapi.Thing{}).
		Owns(&corev1.Service{}).
		Complete(r)
}

// SecretReconciler gives each Thing a Secret.
type SecretReconciler struct{ client.Client }

// Reconcile creates the Secret of a Thing.
func (r *SecretReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	meta := metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}
	return ctrl.Result{}, ensure(ctx, r, req, &corev1.Secret{ObjectMeta: meta})
}

// SetupWithManager registers the controller.
func (r *SecretReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		Named("secret").
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: .*corev1.Secret"
}

func ensure(ctx context.Context, c client.Client, req ctrl.Request, obj client.Object) error {
	thing := &thingapi.Thing{}
	if err := c.Get(ctx, req.NamespacedName, thing); err != nil {
		return client.IgnoreNotFound(err)
	}
	if err := controllerutil.SetControllerReference(thing, obj, c.Scheme()); err != nil {
		return err
	}
	return client.IgnoreAlreadyExists(c.Create(ctx, obj))
}
