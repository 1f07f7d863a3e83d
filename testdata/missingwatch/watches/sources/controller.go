// Package fixture watches its outputs as metadata, with options, and as raw
// sources.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

// WatchesMetadataOfAnOutput watches only the metadata of its Secrets, to save
// memory.
type WatchesMetadataOfAnOutput struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *WatchesMetadataOfAnOutput) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	secret := newSecret(thing)
	if err := controllerutil.SetControllerReference(thing, secret, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	err := r.Create(ctx, secret)
	if apierrors.IsAlreadyExists(err) {
		err = r.Update(ctx, secret)
	}
	return ctrl.Result{}, err
}

func (r *WatchesMetadataOfAnOutput) SetupWithManager(mgr ctrl.Manager) error {
	toOwner := handler.EnqueueRequestForOwner(mgr.GetScheme(), mgr.GetRESTMapper(), &thingapi.Thing{})
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		WatchesMetadata(&corev1.Secret{}, toOwner).
		Complete(r)
}

// OnlyMetadataOptionStillWatches owns its outputs with the option that keeps
// metadata only.
type OnlyMetadataOptionStillWatches struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *OnlyMetadataOptionStillWatches) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	for _, obj := range []client.Object{newSecret(thing), newConfigMap(thing)} {
		if err := controllerutil.SetControllerReference(thing, obj, r.Scheme); err != nil {
			return ctrl.Result{}, err
		}
		if err := client.IgnoreAlreadyExists(r.Create(ctx, obj)); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

func newConfigMap(thing *thingapi.Thing) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-config", Namespace: thing.Namespace},
		Data:       thing.Spec.Config,
	}
}

func (r *OnlyMetadataOptionStillWatches) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Secret{}, builder.OnlyMetadata).
		Owns(&corev1.ConfigMap{}, builder.OnlyMetadata).
		Complete(r)
}

// PredicatesAndOptionsAroundTheWatches filters events and sets options; what it
// writes is owned all the same.
type PredicatesAndOptionsAroundTheWatches struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *PredicatesAndOptionsAroundTheWatches) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	deployment := newDeployment(thing)
	if err := controllerutil.SetControllerReference(thing, deployment, r.Scheme, controllerutil.WithBlockOwnerDeletion(false)); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, deployment))
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

func (r *PredicatesAndOptionsAroundTheWatches) SetupWithManager(mgr ctrl.Manager) error {
	return builder.ControllerManagedBy(mgr).
		Named("thing").
		WithOptions(controller.Options{MaxConcurrentReconciles: 3}).
		WithEventFilter(predicate.NewPredicateFuncs(func(obj client.Object) bool {
			return obj.GetNamespace() != "kube-system"
		})).
		For(&thingapi.Thing{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Owns(&appsv1.Deployment{}, builder.WithPredicates(predicate.Or(
			predicate.ResourceVersionChangedPredicate{}, predicate.LabelChangedPredicate{}))).
		Complete(r)
}

// RawSourceOfAKind watches its outputs as raw sources, with handlers of the
// type that is watched.
type RawSourceOfAKind struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *RawSourceOfAKind) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	service := newService(thing)
	if err := controllerutil.SetControllerReference(thing, service, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, service))
}

func newService(thing *thingapi.Thing) *corev1.Service {
	return &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace},
		Spec: corev1.ServiceSpec{
			Selector: map[string]string{"thing": thing.Name},
			Ports:    []corev1.ServicePort{{Name: "http", Port: thing.Spec.Port}},
		},
	}
}

func (r *RawSourceOfAKind) SetupWithManager(mgr ctrl.Manager) error {
	services := source.Kind(mgr.GetCache(), &corev1.Service{},
		handler.TypedEnqueueRequestForOwner[*corev1.Service](
			mgr.GetScheme(), mgr.GetRESTMapper(), &thingapi.Thing{}, handler.OnlyControllerOwner()))
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		WatchesRawSource(services).
		Complete(r)
}

func newSecret(thing *thingapi.Thing) *corev1.Secret {
	return &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-credentials", Namespace: thing.Namespace},
		StringData: map[string]string{"user": thing.Name},
	}
}
