// Package fixture looks again after some time.
package fixture

import (
	"context"
	"time"

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

// LooksAgainEveryMinute repairs drift when it looks again, a minute later.
type LooksAgainEveryMinute struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *LooksAgainEveryMinute) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	configMap := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, configMap, func() error {
		configMap.Data = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, configMap, r.Scheme)
	})
	return ctrl.Result{RequeueAfter: time.Minute}, err
}

func (r *LooksAgainEveryMinute) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Owns(&corev1.ConfigMap{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Complete(r)
}

// ComesBackWhileTheDeploymentIsNotReady asks every ten seconds until its
// Deployment is ready.
type ComesBackWhileTheDeploymentIsNotReady struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *ComesBackWhileTheDeploymentIsNotReady) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

	if deployment.Status.ReadyReplicas < *thing.Spec.Replicas {
		return ctrl.Result{RequeueAfter: 10 * time.Second}, nil
	}
	thing.Status.Phase = "Ready"
	return ctrl.Result{}, r.Status().Update(ctx, thing)
}

func (r *ComesBackWhileTheDeploymentIsNotReady) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Owns(&appsv1.Deployment{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Complete(r)
}

// DriftWaitsForTheHourlyPoll comes back every hour and until then does not see
// an edit.
type DriftWaitsForTheHourlyPoll struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *DriftWaitsForTheHourlyPoll) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	configMap := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, configMap, func() error {
		configMap.Data = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, configMap, r.Scheme)
	})
	return ctrl.Result{RequeueAfter: time.Hour}, err
}

func (r *DriftWaitsForTheHourlyPoll) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})). // want "blindpredicate: .*edits of corev1.ConfigMap.*next poll .every 1h0m0s."
		Complete(r)
}
