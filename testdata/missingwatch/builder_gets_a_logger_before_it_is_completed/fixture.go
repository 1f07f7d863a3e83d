// Package fixture gives its builders a logger as the last step but one. What was
// said to them before still holds.
package fixture

import (
	"context"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// ThingReconciler reconciles Things.
type ThingReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

// Reconcile brings the cluster in line with a Thing.
func (r *ThingReconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	return reconcile.Result{}, create(ctx, r.Client, r.Scheme, thing)
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return builder.TypedControllerManagedBy[reconcile.Request](mgr).
		Named("thing").
		WatchesRawSource(source.TypedKind(mgr.GetCache(), &thingapi.Thing{}, &handler.TypedEnqueueRequestForObject[*thingapi.Thing]{})).
		WatchesRawSource(source.TypedKind(mgr.GetCache(), &corev1.ConfigMap{}, handler.TypedEnqueueRequestsFromMapFunc(thingOf))).
		WithLogConstructor(loggerOf).
		Complete(r)
}

func thingOf(_ context.Context, config *corev1.ConfigMap) []reconcile.Request {
	return []reconcile.Request{{NamespacedName: client.ObjectKeyFromObject(config)}}
}

func loggerOf(*reconcile.Request) logr.Logger { return logr.Discard() }

// ForgetfulReconciler reconciles Things, too, and watches nothing else.
type ForgetfulReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

// Reconcile brings the cluster in line with a Thing.
func (r *ForgetfulReconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	return reconcile.Result{}, create(ctx, r.Client, r.Scheme, thing)
}

// SetupWithManager registers the controller.
func (r *ForgetfulReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		WithLogConstructor(loggerOf).
		Complete(r) // want "missingwatch: Reconcile creates corev1.ConfigMap .* does not watch it"
}

func create(ctx context.Context, c client.Client, scheme *runtime.Scheme, thing *thingapi.Thing) error {
	config := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace},
		Data:       map[string]string{"size": "1"},
	}
	if err := controllerutil.SetControllerReference(thing, config, scheme); err != nil {
		return err
	}
	return client.IgnoreAlreadyExists(c.Create(ctx, config))
}
