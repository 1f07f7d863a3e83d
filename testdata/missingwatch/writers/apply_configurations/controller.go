// Package fixture applies apply configurations.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"
	metav1ac "k8s.io/client-go/applyconfigurations/meta/v1"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// ApplyConfigurationsAreOwned applies two apply configurations, one through the
// client and one through a clientset; both kinds are owned.
type ApplyConfigurationsAreOwned struct {
	client.Client
	Kube kubernetes.Interface
}

func (r *ApplyConfigurationsAreOwned) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	owner := metav1ac.OwnerReference().
		WithAPIVersion(thingapi.GroupVersion.String()).
		WithKind("Thing").
		WithName(thing.Name).
		WithUID(thing.UID).
		WithController(true)
	config := corev1ac.ConfigMap(thing.Name, thing.Namespace).
		WithOwnerReferences(owner).
		WithData(thing.Spec.Config)
	if err := r.Apply(ctx, config, client.FieldOwner("thing"), client.ForceOwnership); err != nil {
		return ctrl.Result{}, err
	}
	account := corev1ac.ServiceAccount(thing.Name, thing.Namespace)
	account.WithOwnerReferences(owner)
	_, err := r.Kube.CoreV1().ServiceAccounts(thing.Namespace).
		Apply(ctx, account, metav1.ApplyOptions{FieldManager: "thing", Force: true})
	return ctrl.Result{}, err
}

func (r *ApplyConfigurationsAreOwned) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}).
		Owns(&corev1.ServiceAccount{}).
		Complete(r)
}

// ApplyConfigurationIsNotWatched applies a ConfigMap as an apply configuration,
// with a controller reference that no watch looks at.
type ApplyConfigurationIsNotWatched struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *ApplyConfigurationIsNotWatched) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	owner := metav1ac.OwnerReference().
		WithAPIVersion(thingapi.GroupVersion.String()).
		WithKind("Thing").
		WithName(thing.Name).
		WithUID(thing.UID).
		WithController(true).
		WithBlockOwnerDeletion(true)
	config := corev1ac.ConfigMap(thing.Name+"-config", thing.Namespace).
		WithOwnerReferences(owner).
		WithData(thing.Spec.Config)
	err := r.Apply(ctx, config, client.FieldOwner("thing-controller"), client.ForceOwnership)
	return ctrl.Result{}, err
}

func (r *ApplyConfigurationIsNotWatched) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: .*ConfigMap"
}

// ApplyConfigurationOwnerWithoutController applies a ConfigMap whose owner
// reference does not say that the Thing is the controller.
type ApplyConfigurationOwnerWithoutController struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *ApplyConfigurationOwnerWithoutController) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	owner := metav1ac.OwnerReference().
		WithAPIVersion(thingapi.GroupVersion.String()).
		WithKind("Thing").
		WithName(thing.Name).
		WithUID(thing.UID)
	config := corev1ac.ConfigMap(thing.Name+"-config", thing.Namespace).WithOwnerReferences(owner)
	config.WithData(thing.Spec.Config)
	err := r.Apply(ctx, config, client.FieldOwner("thing"), client.ForceOwnership) // want "missingwatch: .*ConfigMap.*controller reference"
	return ctrl.Result{}, err
}

func (r *ApplyConfigurationOwnerWithoutController) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}).
		Complete(r)
}
