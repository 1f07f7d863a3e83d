// Package fixture polls whenever it has dealt with its outputs. What ends before
// is for Things whose outputs nobody keeps: they are invalid, suspended, done.
package fixture

import (
	"context"
	"errors"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

var interval = 2 * time.Second

// ThingReconciler reconciles Things.
type ThingReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

// Reconcile brings the cluster in line with a Thing.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !thing.DeletionTimestamp.IsZero() {
		controllerutil.RemoveFinalizer(thing, "example.com/thing")
		return ctrl.Result{}, r.Update(ctx, thing)
	}
	if err := validate(thing); err != nil {
		thing.Status.Phase = "Invalid"
		if err := r.Status().Update(ctx, thing); err != nil {
			return ctrl.Result{RequeueAfter: interval}, err
		}
		return ctrl.Result{}, nil // the user must act
	}
	result, err := r.suspend(ctx, thing)
	if err != nil || thing.Spec.Paused {
		return result, err
	}

	if err := r.writeService(ctx, thing); err != nil {
		return ctrl.Result{RequeueAfter: interval}, err
	}
	if err := r.writeConfig(ctx, thing); err != nil {
		return ctrl.Result{RequeueAfter: interval}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{RequeueAfter: interval}, nil
}

func validate(thing *thingapi.Thing) error {
	if thing.Spec.Image == "" {
		return errors.New("no image")
	}
	return nil
}

// suspend deletes what a paused Thing does not need.
func (r *ThingReconciler) suspend(ctx context.Context, thing *thingapi.Thing) (ctrl.Result, error) {
	if !thing.Spec.Paused {
		return ctrl.Result{}, nil
	}
	gone, err := r.cleanUp(ctx, thing)
	if err != nil || gone {
		return ctrl.Result{}, err
	}
	return ctrl.Result{RequeueAfter: interval}, nil
}

func (r *ThingReconciler) cleanUp(ctx context.Context, thing *thingapi.Thing) (bool, error) {
	configs := &corev1.ConfigMapList{}
	if err := r.List(ctx, configs, client.InNamespace(thing.Namespace), client.MatchingLabels(thing.Spec.Labels)); err != nil {
		return false, err
	}
	for i := range configs.Items {
		if err := r.Delete(ctx, &configs.Items[i]); err != nil {
			return false, err
		}
	}
	return len(configs.Items) == 0, nil
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
