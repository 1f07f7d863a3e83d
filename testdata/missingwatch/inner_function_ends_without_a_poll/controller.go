// Package fixture asks to be called again while a Thing is on its way out, or
// while it waits for something. Else the Result is what an inner function returns
// whose last word is that of a third one: nothing.
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

var errLater = errors.New("later")

// ThingReconciler reconciles Things.
type ThingReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

// Reconcile brings the cluster in line with a Thing.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing, err := r.thing(ctx, req)
	if err != nil {
		return ctrl.Result{}, err
	}
	if thing == nil || thing.GetDeletionTimestamp() != nil {
		if err := r.release(ctx, req); err != nil {
			return ctrl.Result{RequeueAfter: time.Second}, nil
		}
		return ctrl.Result{}, nil
	}

	done := make(chan struct{})
	defer close(done)

	result, err := r.reconcile(ctx, thing)
	if errors.Is(err, errLater) {
		return ctrl.Result{RequeueAfter: 15 * time.Second}, nil
	}
	if err != nil {
		return ctrl.Result{}, err
	}
	return result, nil
}

func (r *ThingReconciler) thing(ctx context.Context, req ctrl.Request) (*thingapi.Thing, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return nil, client.IgnoreNotFound(err)
	}
	return thing, nil
}

func (r *ThingReconciler) release(ctx context.Context, req ctrl.Request) error {
	return r.DeleteAllOf(ctx, &corev1.Pod{}, client.InNamespace(req.Namespace), client.MatchingLabels{"thing": req.Name})
}

func (r *ThingReconciler) reconcile(ctx context.Context, thing *thingapi.Thing) (ctrl.Result, error) {
	if err := r.writeService(ctx, thing); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.writeConfig(ctx, thing); err != nil {
		return ctrl.Result{}, err
	}
	if thing.Status.ReadyReplicas == 0 {
		return ctrl.Result{RequeueAfter: time.Second}, nil
	}
	return r.updatePhase(ctx, thing)
}

func (r *ThingReconciler) updatePhase(ctx context.Context, thing *thingapi.Thing) (ctrl.Result, error) {
	if thing.Status.Phase != "Ready" {
		thing.Status.Phase = "Ready"
		return ctrl.Result{}, r.Status().Update(ctx, thing)
	}
	return ctrl.Result{}, nil
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
		Complete(r) // want "missingwatch: .*ConfigMap .*never repaired"
}
