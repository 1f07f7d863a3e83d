// Package fixture watches objects of users with map functions.
package fixture

import (
	"context"
	"slices"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// LabelsOfUsersSecretsSelectThem looks at new labels of the Secrets of users,
// whose content it does not read.
type LabelsOfUsersSecretsSelectThem struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *LabelsOfUsersSecretsSelectThem) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	var secrets corev1.SecretList
	if err := r.List(ctx, &secrets, client.InNamespace(thing.Namespace), client.MatchingLabels(thing.Spec.Labels)); err != nil {
		return ctrl.Result{}, err
	}
	thing.Status.Members = nil
	for i := range secrets.Items {
		thing.Status.Members = append(thing.Status.Members, secrets.Items[i].Name)
	}
	slices.Sort(thing.Status.Members)
	return ctrl.Result{}, r.Status().Update(ctx, thing)
}

func (r *LabelsOfUsersSecretsSelectThem) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(toThing)).
		WithEventFilter(predicate.Or(predicate.GenerationChangedPredicate{}, predicate.LabelChangedPredicate{})).
		Complete(r)
}

// SecondWatchOfTheKindSeesEdits watches its Secrets a second time, by their
// label, and then sees all that happens to them.
type SecondWatchOfTheKindSeesEdits struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *SecondWatchOfTheKindSeesEdits) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, secret, func() error {
		secret.Labels = map[string]string{"thing": thing.Name}
		secret.StringData = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, secret, r.Scheme)
	})
	return ctrl.Result{}, err
}

func (r *SecondWatchOfTheKindSeesEdits) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Owns(&corev1.Secret{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(toThing)).
		Complete(r)
}

// UsersDeploymentFoundByAMapFunction looks at the status of a Deployment of the
// user once that has a new spec.
type UsersDeploymentFoundByAMapFunction struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *UsersDeploymentFoundByAMapFunction) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	deployment := &appsv1.Deployment{}
	if err := r.Get(ctx, types.NamespacedName{Namespace: thing.Namespace, Name: thing.Spec.TargetRef}, deployment); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing.Status.ReadyReplicas = deployment.Status.ReadyReplicas
	return ctrl.Result{}, r.Status().Update(ctx, thing)
}

func (r *UsersDeploymentFoundByAMapFunction) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Watches(&appsv1.Deployment{}, handler.EnqueueRequestsFromMapFunc(toThing),
			builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Complete(r)
}

// SecretsOfUsersAreMappedToThings looks for the Things that use a Secret
// whenever its generation changes, which is never.
type SecretsOfUsersAreMappedToThings struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *SecretsOfUsersAreMappedToThings) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	secret := &corev1.Secret{}
	if err := r.Get(ctx, types.NamespacedName{Namespace: thing.Namespace, Name: thing.Spec.SecretRef}, secret); err != nil {
		return ctrl.Result{}, err
	}
	thing.Status.Hash = string(secret.Data["hash"])
	return ctrl.Result{}, r.Status().Update(ctx, thing)
}

func (r *SecretsOfUsersAreMappedToThings) thingsOf(ctx context.Context, secret client.Object) []reconcile.Request {
	var things thingapi.ThingList
	if err := r.List(ctx, &things, client.InNamespace(secret.GetNamespace())); err != nil {
		return nil
	}
	var requests []reconcile.Request
	for i := range things.Items {
		if things.Items[i].Spec.SecretRef == secret.GetName() {
			requests = append(requests, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&things.Items[i])})
		}
	}
	return requests
}

func (r *SecretsOfUsersAreMappedToThings) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(r.thingsOf),
			builder.WithPredicates(predicate.GenerationChangedPredicate{})). // want "blindpredicate: .*edits of corev1.Secret"
		Complete(r)
}

func toThing(_ context.Context, obj client.Object) []reconcile.Request {
	return []reconcile.Request{{NamespacedName: types.NamespacedName{Namespace: obj.GetNamespace(), Name: obj.GetLabels()["thing"]}}}
}
