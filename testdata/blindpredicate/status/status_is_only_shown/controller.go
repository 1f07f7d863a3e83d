// Package fixture shows the status of Deployments in that of its own objects, and waits for
// something else at times.
package fixture

import (
	"context"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// order is what is left to do, and when to look again; 0 is never.
type order struct {
	left  int
	again time.Duration
}

type base struct {
	client.Client
	Scheme *runtime.Scheme
	Pause  func(thing *thingapi.Thing) time.Duration
}

func (b *base) apply(ctx context.Context, thing *thingapi.Thing) (*appsv1.Deployment, error) {
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, b.Client, deployment, func() error {
		deployment.Spec.Replicas = thing.Spec.Replicas
		return controllerutil.SetControllerReference(thing, deployment, b.Scheme)
	})
	return deployment, err
}

func (b *base) settle(thing *thingapi.Thing) (order, error) {
	if thing.Spec.Replicas == nil {
		return order{}, nil
	}
	return order{left: 1, again: b.Pause(thing)}, nil
}

// StatusIsShown waits for what is left to do. Once there is nothing left, nobody tells it
// that pods have become ready, or have died.
type StatusIsShown struct{ base }

func (r *StatusIsShown) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	deployment, err := r.apply(ctx, thing)
	if err != nil {
		return ctrl.Result{}, err
	}
	left, err := r.settle(thing)
	if err != nil {
		return ctrl.Result{}, err
	}
	thing.Status.ReadyReplicas = deployment.Status.ReadyReplicas
	if err := r.Status().Update(ctx, thing); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{RequeueAfter: left.again}, nil
}

func (r *StatusIsShown) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Owns(&appsv1.Deployment{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})). // want "blindpredicate: .*status of appsv1.Deployment, which Reconcile reads .*poll, if any"
		Complete(r)
}

// StatusDecides looks at the pods, too: what it waits for may be them.
type StatusDecides struct{ base }

func (r *StatusDecides) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	deployment, err := r.apply(ctx, thing)
	if err != nil {
		return ctrl.Result{}, err
	}
	left, err := r.settle(thing)
	if err != nil {
		return ctrl.Result{}, err
	}
	thing.Status.ReadyReplicas = deployment.Status.ReadyReplicas
	if thing.Status.ReadyReplicas == 0 {
		left.again = r.Pause(thing)
	}
	if err := r.Status().Update(ctx, thing); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{RequeueAfter: left.again}, nil
}

func (r *StatusDecides) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Owns(&appsv1.Deployment{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Complete(r)
}

// LooksAgain shows the status, and looks again in any case but one.
type LooksAgain struct{ base }

func (r *LooksAgain) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	deployment, err := r.apply(ctx, thing)
	if err != nil {
		return ctrl.Result{}, err
	}
	thing.Status.ReadyReplicas = deployment.Status.ReadyReplicas
	if err := r.Status().Update(ctx, thing); err != nil {
		return ctrl.Result{}, err
	}
	if thing.Spec.Replicas == nil {
		return ctrl.Result{}, nil
	}
	return ctrl.Result{RequeueAfter: r.Pause(thing)}, nil
}

func (r *LooksAgain) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Owns(&appsv1.Deployment{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Complete(r)
}
