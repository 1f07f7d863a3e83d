// Package fixture has controllers that set owner references on objects which others create.
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
	"sigs.k8s.io/controller-runtime/pkg/handler"
)

// OwnerReferenceOfAControllerOfTheKind leaves the owner reference of the Secret to the
// controller of Secrets.
type OwnerReferenceOfAControllerOfTheKind struct {
	client.Client
}

func (r *OwnerReferenceOfAControllerOfTheKind) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	secret := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace},
		StringData: map[string]string{"image": thing.Spec.Image},
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, secret))
}

func (r *OwnerReferenceOfAControllerOfTheKind) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestForOwner(mgr.GetScheme(), mgr.GetRESTMapper(), &thingapi.Thing{})).
		Complete(r)
}

// SecretReconciler makes the Thing of its name the owner of a Secret.
type SecretReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *SecretReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	secret := &corev1.Secret{}
	if err := r.Get(ctx, req.NamespacedName, secret); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	before := secret.DeepCopy()
	if err := controllerutil.SetOwnerReference(thing, secret, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Patch(ctx, secret, client.MergeFrom(before))
}

func (r *SecretReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&corev1.Secret{}).
		Complete(r)
}

// OwnerReferenceOfAnotherOutput creates a ConfigMap without an owner reference. That the
// other controller sets one on its own ConfigMap says nothing of this one.
type OwnerReferenceOfAnotherOutput struct {
	client.Client
}

func (r *OwnerReferenceOfAnotherOutput) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	cm := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace},
		Data:       map[string]string{"image": thing.Spec.Image},
	}
	err := r.Create(ctx, cm) // want "missingwatch: .*ConfigMap.*owner reference"
	return ctrl.Result{}, client.IgnoreAlreadyExists(err)
}

func (r *OwnerReferenceOfAnotherOutput) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Watches(&corev1.ConfigMap{}, handler.EnqueueRequestForOwner(mgr.GetScheme(), mgr.GetRESTMapper(), &thingapi.Thing{})).
		Complete(r)
}

// OtherReconciler keeps a ConfigMap of another name for each Thing.
type OtherReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *OtherReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-other", Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, cm, func() error {
		cm.Data = map[string]string{"image": thing.Spec.Image}
		return controllerutil.SetControllerReference(thing, cm, r.Scheme)
	})
	return ctrl.Result{}, err
}

func (r *OtherReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}).
		Complete(r)
}
