// Package fixture creates objects with another controller than its own kind, by a helper
// that sets the same one again when it updates.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

type writer struct{ client.Client }

func (w writer) service(ctx context.Context, owner client.Object, desired corev1.Service) error {
	return w.write(ctx, owner, &desired, &corev1.Service{}) // want "missingwatch: .*Service.*controller reference"
}

func (w writer) secret(ctx context.Context, owner client.Object, desired corev1.Secret) error {
	return w.write(ctx, owner, &desired, &corev1.Secret{})
}

// write creates the object, or updates it.
func (w writer) write(ctx context.Context, owner, desired, existing client.Object) error {
	err := w.Get(ctx, client.ObjectKeyFromObject(desired), existing)
	if apierrors.IsNotFound(err) {
		if err := controllerutil.SetControllerReference(owner, desired, w.Scheme()); err != nil {
			return err
		}
		return w.Create(ctx, desired)
	}
	if err != nil {
		return err
	}
	if err := controllerutil.SetControllerReference(owner, desired, w.Scheme()); err != nil {
		return err
	}
	desired.SetResourceVersion(existing.GetResourceVersion())
	return w.Update(ctx, desired)
}

func named(thing *thingapi.Thing, suffix string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Name: thing.Name + suffix, Namespace: thing.Namespace}
}

// Reconciler keeps a Service of the Thing, and a Service and a Secret of its Deployment.
type Reconciler struct{ writer }

// Reconcile keeps the objects.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing, deployment := &thingapi.Thing{}, &appsv1.Deployment{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := r.Get(ctx, req.NamespacedName, deployment); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.service(ctx, thing, corev1.Service{ObjectMeta: named(thing, "")}); err != nil {
		return ctrl.Result{}, err
	}
	shared := corev1.Service{ObjectMeta: named(thing, "-shared")}
	if err := r.service(ctx, deployment, shared); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.secret(ctx, deployment, corev1.Secret{ObjectMeta: named(thing, "")})
}

// SetupWithManager registers the reconciler.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Service{}).
		Complete(r) // want "missingwatch: .*Secret"
}

// HandsOn creates a Secret of the Thing, and hands it on to the Deployment later.
type HandsOn struct{ writer }

// Reconcile keeps the Secret until there is a Deployment.
func (r *HandsOn) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing, deployment := &thingapi.Thing{}, &appsv1.Deployment{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	secret := &corev1.Secret{ObjectMeta: named(thing, "")}
	if err := controllerutil.SetControllerReference(thing, secret, r.Scheme()); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.Create(ctx, secret); client.IgnoreAlreadyExists(err) != nil {
		return ctrl.Result{}, err
	}
	if err := r.Get(ctx, req.NamespacedName, deployment); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	secret.OwnerReferences = nil
	if err := controllerutil.SetControllerReference(deployment, secret, r.Scheme()); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Update(ctx, secret)
}

// SetupWithManager registers the reconciler.
func (r *HandsOn) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}

// Adopts creates a Service without an owner, and adds its owner later.
type Adopts struct{ writer }

// Reconcile adopts what it has created.
func (r *Adopts) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	service := &corev1.Service{ObjectMeta: named(thing, "")}
	if err := r.Create(ctx, service); client.IgnoreAlreadyExists(err) != nil {
		return ctrl.Result{}, err
	}
	if err := controllerutil.SetControllerReference(thing, service, r.Scheme()); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Update(ctx, service)
}

// SetupWithManager registers the reconciler.
func (r *Adopts) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Service{}).
		Complete(r)
}
