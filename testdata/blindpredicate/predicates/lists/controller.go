// Package fixture lists predicates and options.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

// LastOfTwoOptionsCounts gives its watch two lists of predicates, of which the
// last one counts.
type LastOfTwoOptionsCounts struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *LastOfTwoOptionsCounts) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

func (r *LastOfTwoOptionsCounts) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Owns(&corev1.ConfigMap{},
			builder.WithPredicates(predicate.GenerationChangedPredicate{}),
			builder.WithPredicates(predicate.ResourceVersionChangedPredicate{})).
		Complete(r)
}

// PredicatesAppendedAtRunTime lets a setting decide whether events are
// filtered.
type PredicatesAppendedAtRunTime struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *PredicatesAppendedAtRunTime) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

func (r *PredicatesAppendedAtRunTime) SetupWithManager(mgr ctrl.Manager, quiet bool) error {
	var filters []predicate.Predicate
	if quiet {
		filters = append(filters, predicate.GenerationChangedPredicate{})
	}
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}, builder.WithPredicates(filters...)).
		Complete(r)
}

// MorePredicatesAreAppended lists one predicate, and appends another one if a
// setting says so.
type MorePredicatesAreAppended struct {
	client.Client
	Scheme *runtime.Scheme
}

// Reconcile copies a Secret that a Thing refers to.
func (r *MorePredicatesAreAppended) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	secret := &corev1.Secret{}
	if err := r.Get(ctx, req.NamespacedName, secret); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	secret.Name += "-copy"
	return ctrl.Result{}, r.Update(ctx, secret)
}

func (r *MorePredicatesAreAppended) SetupWithManager(mgr ctrl.Manager, namespace string) error {
	predicates := []predicate.TypedPredicate[*corev1.Secret]{
		predicate.TypedGenerationChangedPredicate[*corev1.Secret]{},
	}
	if namespace != "" {
		predicates = append(predicates, predicate.NewTypedPredicateFuncs(func(secret *corev1.Secret) bool {
			return secret.Namespace == namespace
		}))
	}
	return ctrl.NewControllerManagedBy(mgr).
		Named("secrets").
		WatchesRawSource(source.Kind(mgr.GetCache(), &corev1.Secret{},
			&handler.TypedEnqueueRequestForObject[*corev1.Secret]{}, predicates...)). // want "blindpredicate: .*edits of corev1.Secret"
		Complete(r)
}

// OptionsOfWatchesInVariables keeps options of watches in variables of the
// package: one that looks for new generations, and one that does for a new
// status, too.
type OptionsOfWatchesInVariables struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *OptionsOfWatchesInVariables) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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
	meta := metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}
	for _, output := range []client.Object{&corev1.ConfigMap{ObjectMeta: meta}, &corev1.Service{ObjectMeta: meta}} {
		if err := controllerutil.SetControllerReference(thing, output, r.Scheme); err != nil {
			return ctrl.Result{}, err
		}
		if err := r.Create(ctx, output); client.IgnoreAlreadyExists(err) != nil {
			return ctrl.Result{}, err
		}
	}

	thing.Status.ReadyReplicas = deployment.Status.ReadyReplicas
	return ctrl.Result{}, r.Status().Update(ctx, thing)
}

var (
	updatesAndDeletions = builder.WithPredicates(predicate.Funcs{
		CreateFunc: func(event.CreateEvent) bool { return false },
		UpdateFunc: func(e event.UpdateEvent) bool {
			return e.ObjectOld.GetGeneration() != e.ObjectNew.GetGeneration()
		},
		DeleteFunc: func(e event.DeleteEvent) bool { return !e.DeleteStateUnknown },
	})
	withStatus = builder.WithPredicates(predicate.Funcs{
		UpdateFunc: func(e event.UpdateEvent) bool {
			return e.ObjectOld.GetGeneration() != e.ObjectNew.GetGeneration() || newStatus(e)
		},
	})
)

func newStatus(e event.UpdateEvent) bool {
	switch before := e.ObjectOld.(type) {
	case *appsv1.Deployment:
		return !equality.Semantic.DeepEqual(before.Status, e.ObjectNew.(*appsv1.Deployment).Status)
	default:
		return false
	}
}

func (r *OptionsOfWatchesInVariables) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Owns(&appsv1.Deployment{}, withStatus).
		Owns(&corev1.ConfigMap{}, updatesAndDeletions). // want "blindpredicate: .*hides edits of corev1.ConfigMap.*never repaired"
		Owns(&networkingv1.Ingress{}, updatesAndDeletions).
		Owns(&corev1.Service{}, withStatus). // want "blindpredicate: .*edits of corev1.Service"
		Complete(r)
}
