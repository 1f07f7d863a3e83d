// Package fixture owns several kinds with one predicate.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// KindsOwnedInALoop owns several kinds in a loop, all with one predicate.
type KindsOwnedInALoop struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *KindsOwnedInALoop) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	configMap := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, configMap, func() error {
		configMap.Data = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, configMap, r.Scheme)
	})
	if err != nil {
		return ctrl.Result{}, err
	}

	binding := &rbacv1.RoleBinding{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	if err := controllerutil.SetControllerReference(thing, binding, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, binding))
}

func (r *KindsOwnedInALoop) SetupWithManager(mgr ctrl.Manager) error {
	b := ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{})
	for _, output := range []client.Object{&corev1.ConfigMap{}, &networkingv1.Ingress{}, &rbacv1.RoleBinding{}} {
		b.Owns(output, builder.WithPredicates(predicate.GenerationChangedPredicate{})) // want "blindpredicate: .*edits of corev1.ConfigMap, rbacv1.RoleBinding, which"
	}
	return b.Complete(r)
}

// OutputsDecodedFromManifests owns what it decodes from manifests: which kinds
// these are, only its builder tells.
type OutputsDecodedFromManifests struct {
	client.Client
	Scheme    *runtime.Scheme
	Decoder   runtime.Decoder
	Manifests [][]byte
}

func (r *OutputsDecodedFromManifests) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	for _, manifest := range r.Manifests {
		decoded, _, err := r.Decoder.Decode(manifest, nil, nil)
		if err != nil {
			return ctrl.Result{}, err
		}
		output := decoded.(client.Object)
		if err := controllerutil.SetControllerReference(thing, output, r.Scheme); err != nil {
			return ctrl.Result{}, err
		}
		if err := r.Create(ctx, output); client.IgnoreAlreadyExists(err) != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

func (r *OutputsDecodedFromManifests) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		Owns(&corev1.ConfigMap{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})). // want "blindpredicate: .*edits of corev1.ConfigMap"
		For(&thingapi.Thing{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Owns(&rbacv1.Role{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})). // want "blindpredicate: .*edits of rbacv1.Role"
		Complete(r)
}

// GenerationLabelsOrAnnotationsOfAllOutputs filters all its watches by what is
// usual for custom resources.
type GenerationLabelsOrAnnotationsOfAllOutputs struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *GenerationLabelsOrAnnotationsOfAllOutputs) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	configMap := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, configMap, func() error {
		configMap.Data = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, configMap, r.Scheme)
	})
	if err != nil {
		return ctrl.Result{}, err
	}

	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	if err := controllerutil.SetControllerReference(thing, secret, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, secret))
}

func (r *GenerationLabelsOrAnnotationsOfAllOutputs) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}).
		Owns(&corev1.Secret{}).
		Owns(&appsv1.Deployment{}).
		WithEventFilter(predicate.Or( // want "blindpredicate: .*edits of corev1.ConfigMap, corev1.Secret, which"
			predicate.GenerationChangedPredicate{},
			predicate.LabelChangedPredicate{},
			predicate.AnnotationChangedPredicate{},
		)).
		Complete(r)
}
