// Package fixture sees what changes the metadata of objects.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// LabelsOfANamespaceAreItsContent owns a Namespace, of which it sees new labels
// and annotations.
type LabelsOfANamespaceAreItsContent struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *LabelsOfANamespaceAreItsContent) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, namespace, func() error {
		namespace.Labels = thing.Spec.Labels
		return controllerutil.SetControllerReference(thing, namespace, r.Scheme)
	})
	return ctrl.Result{}, err
}

func (r *LabelsOfANamespaceAreItsContent) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Namespace{}, builder.WithPredicates(predicate.Or(predicate.GenerationChangedPredicate{}, predicate.LabelChangedPredicate{}, predicate.AnnotationChangedPredicate{}))).
		Complete(r)
}

// LabelsOfASecretAreAllThatMatters reads nothing of the Secrets but their
// labels.
type LabelsOfASecretAreAllThatMatters struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *LabelsOfASecretAreAllThatMatters) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, secret, func() error {
		secret.StringData = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, secret, r.Scheme)
	})
	return ctrl.Result{}, err
}

func (r *LabelsOfASecretAreAllThatMatters) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Owns(&corev1.Secret{}, builder.WithPredicates(predicate.LabelChangedPredicate{})).
		Complete(r)
}

// MetadataOfADeploymentIsWatched watches the metadata of its Deployment, which
// tells of new specs, and reads the status when there is one.
type MetadataOfADeploymentIsWatched struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *MetadataOfADeploymentIsWatched) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, deployment, func() error {
		deployment.Spec.Replicas = thing.Spec.Replicas
		return controllerutil.SetControllerReference(thing, deployment, r.Scheme)
	})
	if err != nil {
		return ctrl.Result{}, err
	}

	thing.Status.ReadyReplicas = deployment.Status.ReadyReplicas
	return ctrl.Result{}, r.Status().Update(ctx, thing)
}

func (r *MetadataOfADeploymentIsWatched) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Owns(&appsv1.Deployment{}, builder.OnlyMetadata, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Complete(r)
}

// EditsOfASecretKnownByItsMetadata keeps only the metadata of its Secret in the
// cache. An edit changes these, but not the generation.
type EditsOfASecretKnownByItsMetadata struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *EditsOfASecretKnownByItsMetadata) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, secret, func() error {
		secret.StringData = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, secret, r.Scheme)
	})
	return ctrl.Result{}, err
}

func (r *EditsOfASecretKnownByItsMetadata) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Secret{}, builder.OnlyMetadata).
		WithEventFilter(predicate.TypedGenerationChangedPredicate[client.Object]{}). // want "blindpredicate: .*edits of corev1.Secret"
		Complete(r)
}
