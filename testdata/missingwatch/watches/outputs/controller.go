// Package fixture watches what it creates, or does not.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// ConfigmapCreatedInlineIsOwned creates a ConfigMap where it finds none,
// controls it and owns its kind.
type ConfigmapCreatedInlineIsOwned struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *ConfigmapCreatedInlineIsOwned) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	config := &corev1.ConfigMap{}
	key := client.ObjectKey{Namespace: thing.Namespace, Name: thing.Name + "-config"}
	err := r.Get(ctx, key, config)
	if err == nil || !apierrors.IsNotFound(err) {
		return ctrl.Result{}, err
	}
	config = &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: key.Name, Namespace: key.Namespace},
		Data:       thing.Spec.Config,
	}
	if err := controllerutil.SetControllerReference(thing, config, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Create(ctx, config)
}

func (r *ConfigmapCreatedInlineIsOwned) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}).
		Complete(r)
}

// ConfigmapCreatedInlineIsNotWatched creates a ConfigMap where it finds none,
// and controls it, but the controller only watches Things: whoever deletes the
// ConfigMap keeps it deleted.
type ConfigmapCreatedInlineIsNotWatched struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *ConfigmapCreatedInlineIsNotWatched) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	config := &corev1.ConfigMap{}
	key := client.ObjectKey{Namespace: thing.Namespace, Name: thing.Name + "-config"}
	err := r.Get(ctx, key, config)
	if err == nil || !apierrors.IsNotFound(err) {
		return ctrl.Result{}, err
	}
	config = &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: key.Name, Namespace: key.Namespace},
		Data:       thing.Spec.Config,
	}
	if err := controllerutil.SetControllerReference(thing, config, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Create(ctx, config)
}

func (r *ConfigmapCreatedInlineIsNotWatched) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: .*ConfigMap"
}

// TwoOutputsOfOneControllerAreNotWatched writes two kinds, and watches neither:
// two findings on one line.
type TwoOutputsOfOneControllerAreNotWatched struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *TwoOutputsOfOneControllerAreNotWatched) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	if err := r.create(ctx, thing, account); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.create(ctx, thing, newDeployment(thing))
}

func (r *TwoOutputsOfOneControllerAreNotWatched) create(ctx context.Context, thing *thingapi.Thing, obj client.Object) error {
	if err := controllerutil.SetControllerReference(thing, obj, r.Scheme); err != nil {
		return err
	}
	return client.IgnoreAlreadyExists(r.Create(ctx, obj))
}

func newDeployment(thing *thingapi.Thing) *appsv1.Deployment {
	labels := map[string]string{"thing": thing.Name}
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace},
		Spec: appsv1.DeploymentSpec{
			Replicas: thing.Spec.Replicas,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "thing", Image: thing.Spec.Image}}},
			},
		},
	}
}

func (r *TwoOutputsOfOneControllerAreNotWatched) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: .*Deployment" "missingwatch: .*ServiceAccount"
}

// ClusterRoleIsCreatedAndNotWatched creates a ClusterRole for each Thing. A
// namespaced owner cannot control it, so it has no owner; it could be watched
// by its label all the same.
type ClusterRoleIsCreatedAndNotWatched struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *ClusterRoleIsCreatedAndNotWatched) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	role := &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: thing.Namespace + "-" + thing.Name}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, role, func() error {
		role.Labels = map[string]string{"things.example.com/name": thing.Name}
		role.Rules = []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"nodes"}, Verbs: []string{"get", "list"}}}
		return nil
	})
	return ctrl.Result{}, err
}

func (r *ClusterRoleIsCreatedAndNotWatched) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ServiceAccount{}).
		Complete(r) // want "missingwatch: .*ClusterRole"
}

// CustomResourceIsCreatedAndNotOwned makes a Part for each Thing, a custom
// resource of the same group, and never looks at it again.
type CustomResourceIsCreatedAndNotOwned struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *CustomResourceIsCreatedAndNotOwned) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	part := &thingapi.Part{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := ctrl.CreateOrUpdate(ctx, r.Client, part, func() error {
		part.Spec.ThingName = thing.Name
		part.Spec.Size = ptr.Deref(thing.Spec.Replicas, 1)
		return ctrl.SetControllerReference(thing, part, r.Scheme)
	})
	return ctrl.Result{}, err
}

func (r *CustomResourceIsCreatedAndNotOwned) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: .*Part"
}

// CreatedObjectHasNoOwnerAndNoWatch creates a Namespace for each Thing and
// deletes it with a finalizer. It is the controller's own object although it
// has no owner.
type CreatedObjectHasNoOwnerAndNoWatch struct {
	client.Client
	Scheme *runtime.Scheme
}

const finalizer = "things.example.com/namespace"

func (r *CreatedObjectHasNoOwnerAndNoWatch) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "thing-" + thing.Name, Labels: thing.Spec.Labels}}
	if !thing.DeletionTimestamp.IsZero() {
		if err := r.Delete(ctx, namespace); client.IgnoreNotFound(err) != nil {
			return ctrl.Result{}, err
		}
		controllerutil.RemoveFinalizer(thing, finalizer)
		return ctrl.Result{}, r.Update(ctx, thing)
	}
	if controllerutil.AddFinalizer(thing, finalizer) {
		if err := r.Update(ctx, thing); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, namespace))
}

func (r *CreatedObjectHasNoOwnerAndNoWatch) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: .*Namespace"
}
