// Package fixture has its Results made by a package of its own: one function for
// errors, one for the next poll. It comes back every thirty seconds.
package fixture

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/operatorvet/operatorvet/testdata/missingwatch/result_comes_from_a_helper_of_another_package/results"
	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// ThingReconciler reconciles Things.
type ThingReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

// Reconcile brings the cluster in line with a Thing.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

func (r *ThingReconciler) service(ctx context.Context, thing *thingapi.Thing) (ctrl.Result, error) {
	if err := r.writeService(ctx, thing); err != nil {
		return results.Fail(ctx, err)
	}
	return results.Done()
}

func (r *ThingReconciler) config(ctx context.Context, thing *thingapi.Thing) (ctrl.Result, error) {
	if err := r.writeConfig(ctx, thing); err != nil {
		return results.FailUnlessGone(ctx, err)
	}
	return results.Done()
}

func (r *ThingReconciler) writeService(ctx context.Context, thing *thingapi.Thing) error {
	svc := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, svc, func() error {
		svc.Spec.Selector = thing.Spec.Labels
		return controllerutil.SetControllerReference(thing, svc, r.Scheme)
	})
	return err
}

func (r *ThingReconciler) writeConfig(ctx context.Context, thing *thingapi.Thing) error {
	config := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, config, func() error {
		config.Data = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, config, r.Scheme)
	})
	return err
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Service{}).
		Complete(r)
}
