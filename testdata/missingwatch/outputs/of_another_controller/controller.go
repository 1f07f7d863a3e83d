// Package fixture has controllers that write the objects of another controller.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// PartOwnsItsSecret creates the Secret of a Part, and repairs it.
type PartOwnsItsSecret struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *PartOwnsItsSecret) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	part := &thingapi.Part{}
	if err := r.Get(ctx, req.NamespacedName, part); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, createSecret(ctx, r.Client, r.Scheme, part)
}

func (r *PartOwnsItsSecret) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Part{}).
		Owns(&corev1.Secret{}).
		Complete(r)
}

// ThingRendersTheSecretsOfParts writes the Secret of each Part when a Thing has
// changed. The controller of Parts repairs them.
type ThingRendersTheSecretsOfParts struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *ThingRendersTheSecretsOfParts) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	parts := &thingapi.PartList{}
	if err := r.List(ctx, parts, client.InNamespace(req.Namespace)); err != nil {
		return ctrl.Result{}, err
	}
	for i := range parts.Items {
		if err := createSecret(ctx, r.Client, r.Scheme, &parts.Items[i]); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

func (r *ThingRendersTheSecretsOfParts) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}

// ThingRendersItsOwnSecret writes a Secret that the Thing controls. The controller
// of Parts does not look after it.
type ThingRendersItsOwnSecret struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *ThingRendersItsOwnSecret) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, createSecret(ctx, r.Client, r.Scheme, thing)
}

func (r *ThingRendersItsOwnSecret) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: Reconcile creates corev1.Secret"
}

// ThingGivesConfigMapsToParts creates a ConfigMap that a Part controls. The
// controller of Parts creates none, so nobody repairs it.
type ThingGivesConfigMapsToParts struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *ThingGivesConfigMapsToParts) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	part := &thingapi.Part{}
	if err := r.Get(ctx, req.NamespacedName, part); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: part.Name, Namespace: part.Namespace}}
	if err := controllerutil.SetControllerReference(part, cm, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, cm))
}

func (r *ThingGivesConfigMapsToParts) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: Reconcile creates corev1.ConfigMap"
}

// createSecret creates the Secret that the owner controls.
func createSecret(ctx context.Context, c client.Client, scheme *runtime.Scheme, owner client.Object) error {
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: owner.GetName(), Namespace: owner.GetNamespace()}}
	if err := controllerutil.SetControllerReference(owner, secret, scheme); err != nil {
		return err
	}
	return client.IgnoreAlreadyExists(c.Create(ctx, secret))
}
