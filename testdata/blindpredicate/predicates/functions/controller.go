// Package fixture has predicates of its own made of functions.
package fixture

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"reflect"

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
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// FunctionsCompareTheData lets updates of a ConfigMap through that change its
// data.
type FunctionsCompareTheData struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *FunctionsCompareTheData) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	configMap := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, configMap, func() error {
		configMap.Data = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, configMap, r.Scheme)
	})
	return ctrl.Result{}, err
}

func (r *FunctionsCompareTheData) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Owns(&corev1.ConfigMap{}, builder.WithPredicates(predicate.Funcs{
			UpdateFunc: func(e event.UpdateEvent) bool {
				before, ok := e.ObjectOld.(*corev1.ConfigMap)
				if !ok {
					return false
				}
				after, ok := e.ObjectNew.(*corev1.ConfigMap)
				if !ok {
					return false
				}
				return !reflect.DeepEqual(before.Data, after.Data) || before.Generation != after.Generation
			},
		})).
		Complete(r)
}

// FunctionsCompareTheResourceVersion drops what a resync repeats.
type FunctionsCompareTheResourceVersion struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *FunctionsCompareTheResourceVersion) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	configMap := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, configMap, func() error {
		configMap.Data = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, configMap, r.Scheme)
	})
	return ctrl.Result{}, err
}

func (r *FunctionsCompareTheResourceVersion) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Owns(&corev1.ConfigMap{}, builder.WithPredicates(predicate.Funcs{
			UpdateFunc: func(e event.UpdateEvent) bool {
				return e.ObjectOld.GetGeneration() != e.ObjectNew.GetGeneration() ||
					e.ObjectOld.GetResourceVersion() != e.ObjectNew.GetResourceVersion()
			},
		})).
		Complete(r)
}

// FunctionsWithoutOneForUpdates says nothing about updates, which then pass.
type FunctionsWithoutOneForUpdates struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *FunctionsWithoutOneForUpdates) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	configMap := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, configMap, func() error {
		configMap.Data = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, configMap, r.Scheme)
	})
	return ctrl.Result{}, err
}

func (r *FunctionsWithoutOneForUpdates) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Owns(&corev1.ConfigMap{}, builder.WithPredicates(predicate.Funcs{
			CreateFunc: func(event.CreateEvent) bool { return false },
		})).
		Complete(r)
}

// OnlyDeletionsAreOfInterest wants to hear when its ConfigMap is deleted, and
// nothing else.
type OnlyDeletionsAreOfInterest struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *OnlyDeletionsAreOfInterest) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	configMap := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, configMap, func() error {
		configMap.Data = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, configMap, r.Scheme)
	})
	return ctrl.Result{}, err
}

func (r *OnlyDeletionsAreOfInterest) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Owns(&corev1.ConfigMap{}, builder.WithPredicates(predicate.Funcs{
			CreateFunc:  func(event.CreateEvent) bool { return false },
			UpdateFunc:  func(event.UpdateEvent) bool { return false },
			GenericFunc: func(event.GenericEvent) bool { return false },
		})).
		Complete(r)
}

// ObjectsSelectedByTheirNamespace selects objects, not changes.
type ObjectsSelectedByTheirNamespace struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *ObjectsSelectedByTheirNamespace) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

func (r *ObjectsSelectedByTheirNamespace) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Owns(&corev1.Secret{}).
		WithEventFilter(predicate.NewPredicateFuncs(func(obj client.Object) bool { return obj.GetNamespace() != "kube-system" })).
		Complete(r)
}

// FunctionsThatCompareTheGenerationOfARole compares the generation of a Role in
// a predicate of its own.
type FunctionsThatCompareTheGenerationOfARole struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *FunctionsThatCompareTheGenerationOfARole) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	role := &rbacv1.Role{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, role, func() error {
		role.Rules = []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"pods"}, Verbs: thing.Spec.Hosts}}
		return controllerutil.SetControllerReference(thing, role, r.Scheme)
	})
	return ctrl.Result{}, err
}

func (r *FunctionsThatCompareTheGenerationOfARole) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&rbacv1.Role{}, builder.WithPredicates(predicate.Funcs{ // want "blindpredicate: .*edits of rbacv1.Role"
			UpdateFunc: func(e event.UpdateEvent) bool {
				return e.ObjectOld.GetGeneration() != e.ObjectNew.GetGeneration()
			},
		})).
		Complete(r)
}

// HelperComparesTwoObjects has a helper that compares the generations of two
// objects, and nothing else.
type HelperComparesTwoObjects struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *HelperComparesTwoObjects) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	service := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, service, func() error {
		service.Spec.Ports = []corev1.ServicePort{{Port: thing.Spec.Port}}
		return controllerutil.SetControllerReference(thing, service, r.Scheme)
	})
	return ctrl.Result{}, err
}

func generationChanged(before, after metav1.Object) bool {
	if before.GetGeneration() == after.GetGeneration() {
		return false
	}
	return true
}

func (r *HelperComparesTwoObjects) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Service{}, builder.WithPredicates(predicate.Funcs{ // want "blindpredicate: .*edits of corev1.Service"
			UpdateFunc: func(e event.UpdateEvent) bool { return generationChanged(e.ObjectOld, e.ObjectNew) },
		})).
		Complete(r)
}

// DigestsOfTheSpec compares a digest of one part, so that changes of the status are
// hidden.
type DigestsOfTheSpec struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *DigestsOfTheSpec) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

func digest(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func (r *DigestsOfTheSpec) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Owns(&appsv1.Deployment{}, builder.WithPredicates(predicate.Funcs{ // want "blindpredicate: .*status of appsv1.Deployment"
			UpdateFunc: func(e event.UpdateEvent) bool {
				before, ok := e.ObjectOld.(*appsv1.Deployment)
				after, ok2 := e.ObjectNew.(*appsv1.Deployment)
				return ok && ok2 && digest(before.Spec) != digest(after.Spec)
			},
		})).
		Complete(r)
}

// DigestsOfTheData compares a digest of what counts.
type DigestsOfTheData struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *DigestsOfTheData) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	configMap := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, configMap, func() error {
		configMap.Data = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, configMap, r.Scheme)
	})
	return ctrl.Result{}, err
}

func (r *DigestsOfTheData) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}, builder.WithPredicates(predicate.Funcs{
			UpdateFunc: func(e event.UpdateEvent) bool {
				before, ok := e.ObjectOld.(*corev1.ConfigMap)
				after, ok2 := e.ObjectNew.(*corev1.ConfigMap)
				return ok && ok2 && digest(before.Data) != digest(after.Data)
			},
		})).
		Complete(r)
}
