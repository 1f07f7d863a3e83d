// Package fixture owns objects that have an owner, and objects that have none.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// OwnedRoleIsNeverMade owns a kind that its reconciler has nothing to do with:
// there is no object whose edits could be hidden.
type OwnedRoleIsNeverMade struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *OwnedRoleIsNeverMade) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	for _, output := range outputs(thing) {
		if err := controllerutil.SetControllerReference(thing, output, r.Scheme); err != nil {
			return ctrl.Result{}, err
		}
		if err := r.Create(ctx, output); client.IgnoreAlreadyExists(err) != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

func outputs(thing *thingapi.Thing) []client.Object {
	meta := metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}
	return []client.Object{&corev1.ConfigMap{ObjectMeta: meta, Data: thing.Spec.Config}}
}

func (r *OwnedRoleIsNeverMade) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}).
		Owns(&rbacv1.Role{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Complete(r)
}

// OwnedSecretIsOnlyRead owns Secrets, but writes none: the one that it reads
// belongs to the user.
type OwnedSecretIsOnlyRead struct {
	client.Client
}

func (r *OwnedSecretIsOnlyRead) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	token := &corev1.Secret{}
	if err := r.Get(ctx, client.ObjectKey{Namespace: thing.Namespace, Name: "token"}, token); err != nil {
		return ctrl.Result{}, err
	}
	thing.Status.ReadyReplicas = int32(len(token.Data["token"]))
	return ctrl.Result{}, r.Status().Update(ctx, thing)
}

func (r *OwnedSecretIsOnlyRead) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Secret{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Complete(r)
}

// OwnedConfigmapGetsNoOwner makes a ConfigMap that it owns in its builder
// alone: none of its events arrives, whatever the predicate says.
type OwnedConfigmapGetsNoOwner struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *OwnedConfigmapGetsNoOwner) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	configMap := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace},
		Data:       thing.Spec.Config,
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, configMap)) // want "missingwatch: .*sets no controller reference"
}

func (r *OwnedConfigmapGetsNoOwner) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Complete(r)
}

// OwnerOfOneOfTwoConfigmaps makes two ConfigMaps, one of which gets an owner.
type OwnerOfOneOfTwoConfigmaps struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *OwnerOfOneOfTwoConfigmaps) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	shared := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "shared", Namespace: thing.Namespace}}
	if err := r.Create(ctx, shared); client.IgnoreAlreadyExists(err) != nil {
		return ctrl.Result{}, err
	}

	configMap := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, configMap, func() error {
		configMap.Data = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, configMap, r.Scheme)
	})
	return ctrl.Result{}, err
}

func (r *OwnerOfOneOfTwoConfigmaps) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})). // want "blindpredicate: .*edits of corev1.ConfigMap"
		Complete(r)
}

// ClusterRoleHasNoOwnerInANamespace owns whatever may have an owner: a
// ClusterRole, which is in no namespace, cannot have one that is in one.
type ClusterRoleHasNoOwnerInANamespace struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *ClusterRoleHasNoOwnerInANamespace) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	for _, obj := range clusterOutputs(thing) {
		if isNamespaced(obj) {
			if err := controllerutil.SetControllerReference(thing, obj, r.Scheme); err != nil {
				return ctrl.Result{}, err
			}
		}
		if err := r.Create(ctx, obj); client.IgnoreAlreadyExists(err) != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

func clusterOutputs(thing *thingapi.Thing) []client.Object {
	return []client.Object{
		&corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}},
		&rbacv1.ClusterRole{
			ObjectMeta: metav1.ObjectMeta{Name: thing.Namespace + "-" + thing.Name},
			Rules:      []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"nodes"}, Verbs: []string{"get"}}},
		},
	}
}

func isNamespaced(obj client.Object) bool {
	_, cluster := obj.(*rbacv1.ClusterRole)
	return !cluster
}

func (r *ClusterRoleHasNoOwnerInANamespace) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ServiceAccount{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})). // want "blindpredicate: .*edits of corev1.ServiceAccount"
		Owns(&rbacv1.ClusterRole{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Complete(r)
}

// ClusterRoleOfANamespace makes a namespace, which is in none itself, the owner
// of a ClusterRole.
//
// It reconciles namespaces.
type ClusterRoleOfANamespace struct {
	client.Client
	Scheme *runtime.Scheme
}

// Reconcile makes the ClusterRole of a namespace.
func (r *ClusterRoleOfANamespace) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	namespace := &corev1.Namespace{}
	if err := r.Get(ctx, req.NamespacedName, namespace); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	role := &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: "viewer-of-" + namespace.Name}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, role, func() error {
		role.Rules = []rbacv1.PolicyRule{{
			APIGroups:     []string{""},
			Resources:     []string{"namespaces"},
			ResourceNames: []string{namespace.Name},
			Verbs:         []string{"get"},
		}}
		return controllerutil.SetControllerReference(namespace, role, r.Scheme)
	})
	return ctrl.Result{}, err
}

func (r *ClusterRoleOfANamespace) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&corev1.Namespace{}).
		Owns(&rbacv1.ClusterRole{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})). // want "blindpredicate: .*edits of rbacv1.ClusterRole"
		Complete(r)
}

// HandlerForOwnersBehindTheGeneration watches stateful sets with a handler for
// owners.
type HandlerForOwnersBehindTheGeneration struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *HandlerForOwnersBehindTheGeneration) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	set := &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrPatch(ctx, r.Client, set, func() error {
		set.Spec.Replicas = thing.Spec.Replicas
		return controllerutil.SetControllerReference(thing, set, r.Scheme)
	})
	if err != nil {
		return ctrl.Result{}, err
	}
	thing.Status.ReadyReplicas = set.Status.ReadyReplicas
	return ctrl.Result{}, r.Status().Update(ctx, thing)
}

func (r *HandlerForOwnersBehindTheGeneration) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Watches(&appsv1.StatefulSet{},
			handler.EnqueueRequestForOwner(mgr.GetScheme(), mgr.GetRESTMapper(), &thingapi.Thing{}, handler.OnlyControllerOwner()),
			builder.WithPredicates(predicate.GenerationChangedPredicate{})). // want "blindpredicate: .*status of appsv1.StatefulSet"
		Complete(r)
}
