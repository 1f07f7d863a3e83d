// Package fixture has its Results made by another package.
package fixture

import (
	"context"
	"time"

	"github.com/operatorvet/operatorvet/testdata/missingwatch/polls/results_of_another_package/results"
	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// ResultComesFromAHelperOfAnotherPackage has its Results made by a package of
// its own: one function for errors, one for the next poll. It comes back every
// thirty seconds.
type ResultComesFromAHelperOfAnotherPackage struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *ResultComesFromAHelperOfAnotherPackage) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return results.FailUnlessGone(ctx, err)
	}
	for _, step := range []func(context.Context, *thingapi.Thing) (ctrl.Result, error){r.service, r.config} {
		result, err := step(ctx, thing)
		if err != nil {
			return results.Fail(ctx, err)
		}
		if !result.IsZero() {
			return result, nil
		}
	}
	return results.Again(ctx, 30*time.Second)
}

func (r *ResultComesFromAHelperOfAnotherPackage) service(ctx context.Context, thing *thingapi.Thing) (ctrl.Result, error) {
	if err := r.writeService(ctx, thing); err != nil {
		return results.Fail(ctx, err)
	}
	return results.Done()
}

func (r *ResultComesFromAHelperOfAnotherPackage) config(ctx context.Context, thing *thingapi.Thing) (ctrl.Result, error) {
	if err := r.writeConfig(ctx, thing); err != nil {
		return results.FailUnlessGone(ctx, err)
	}
	return results.Done()
}

func (r *ResultComesFromAHelperOfAnotherPackage) writeService(ctx context.Context, thing *thingapi.Thing) error {
	svc := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, svc, func() error {
		svc.Spec.Selector = thing.Spec.Labels
		return controllerutil.SetControllerReference(thing, svc, r.Scheme)
	})
	return err
}

func (r *ResultComesFromAHelperOfAnotherPackage) writeConfig(ctx context.Context, thing *thingapi.Thing) error {
	config := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, config, func() error {
		config.Data = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, config, r.Scheme)
	})
	return err
}

func (r *ResultComesFromAHelperOfAnotherPackage) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Service{}).
		Complete(r)
}

// HelperOfAnotherPackageMayEndThePolling has its Results made by a package of
// its own. Most of the time, that is the empty Result.
type HelperOfAnotherPackageMayEndThePolling struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *HelperOfAnotherPackageMayEndThePolling) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := r.writeService(ctx, thing); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.writeConfig(ctx, thing); err != nil {
		return ctrl.Result{}, err
	}
	return results.Unless(thing.Status.ReadyReplicas > 0)
}

func (r *HelperOfAnotherPackageMayEndThePolling) writeService(ctx context.Context, thing *thingapi.Thing) error {
	svc := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, svc, func() error {
		svc.Spec.Selector = thing.Spec.Labels
		return controllerutil.SetControllerReference(thing, svc, r.Scheme)
	})
	return err
}

func (r *HelperOfAnotherPackageMayEndThePolling) writeConfig(ctx context.Context, thing *thingapi.Thing) error {
	config := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, config, func() error {
		config.Data = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, config, r.Scheme)
	})
	return err
}

func (r *HelperOfAnotherPackageMayEndThePolling) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Service{}).
		Complete(r) // want "missingwatch: .*ConfigMap .*10 hours by default"
}
