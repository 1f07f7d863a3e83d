// Package fixture takes its Result from inner functions.
package fixture

import (
	"context"
	"errors"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

var errLater = errors.New("later")

// InnerFunctionEndsWithoutAPoll asks to be called again while a Thing is on its
// way out, or while it waits for something. Else the Result is what an inner
// function returns whose last word is that of a third one: nothing.
type InnerFunctionEndsWithoutAPoll struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *InnerFunctionEndsWithoutAPoll) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

func (r *InnerFunctionEndsWithoutAPoll) thing(ctx context.Context, req ctrl.Request) (*thingapi.Thing, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return nil, client.IgnoreNotFound(err)
	}
	return thing, nil
}

func (r *InnerFunctionEndsWithoutAPoll) release(ctx context.Context, req ctrl.Request) error {
	return r.DeleteAllOf(ctx, &corev1.Pod{}, client.InNamespace(req.Namespace), client.MatchingLabels{"thing": req.Name})
}

func (r *InnerFunctionEndsWithoutAPoll) reconcile(ctx context.Context, thing *thingapi.Thing) (ctrl.Result, error) {
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

func (r *InnerFunctionEndsWithoutAPoll) updatePhase(ctx context.Context, thing *thingapi.Thing) (ctrl.Result, error) {
	if thing.Status.Phase != "Ready" {
		thing.Status.Phase = "Ready"
		return ctrl.Result{}, r.Status().Update(ctx, thing)
	}
	return ctrl.Result{}, nil
}

func (r *InnerFunctionEndsWithoutAPoll) writeService(ctx context.Context, thing *thingapi.Thing) error {
	svc := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, svc, func() error {
		svc.Spec.Selector = thing.Spec.Labels
		return controllerutil.SetControllerReference(thing, svc, r.Scheme)
	})
	return err
}

func (r *InnerFunctionEndsWithoutAPoll) writeConfig(ctx context.Context, thing *thingapi.Thing) error {
	config := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, config, func() error {
		config.Data = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, config, r.Scheme)
	})
	return err
}

func (r *InnerFunctionEndsWithoutAPoll) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Service{}).
		Complete(r) // want "missingwatch: .*ConfigMap .*10 hours by default"
}

// IntervalOfAnInnerResultIsMostlyZero returns the interval of another Result,
// in which there is none but after a creation.
type IntervalOfAnInnerResultIsMostlyZero struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *IntervalOfAnInnerResultIsMostlyZero) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	result, err := r.writeOutputs(ctx, thing)
	if err != nil {
		return result, err
	}
	return ctrl.Result{RequeueAfter: result.RequeueAfter}, r.Status().Update(ctx, thing)
}

func (r *IntervalOfAnInnerResultIsMostlyZero) writeOutputs(ctx context.Context, thing *thingapi.Thing) (ctrl.Result, error) {
	if err := r.writeService(ctx, thing); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.writeConfig(ctx, thing); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{RequeueAfter: grace(thing)}, nil
}

// grace returns how long it takes until a new Thing may be ready.
func grace(thing *thingapi.Thing) time.Duration {
	if thing.Status.ReadyReplicas > 0 {
		return 0
	}
	return 10 * time.Second
}

func (r *IntervalOfAnInnerResultIsMostlyZero) writeService(ctx context.Context, thing *thingapi.Thing) error {
	svc := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, svc, func() error {
		svc.Spec.Selector = thing.Spec.Labels
		return controllerutil.SetControllerReference(thing, svc, r.Scheme)
	})
	return err
}

func (r *IntervalOfAnInnerResultIsMostlyZero) writeConfig(ctx context.Context, thing *thingapi.Thing) error {
	config := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, config, func() error {
		config.Data = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, config, r.Scheme)
	})
	return err
}

func (r *IntervalOfAnInnerResultIsMostlyZero) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Service{}).
		Complete(r) // want "missingwatch: .*ConfigMap .*10 hours by default"
}

// DeferredFunctionTakesTheIntervalBack asks to look at each object again, but a
// deferred function takes that back.
type DeferredFunctionTakesTheIntervalBack struct {
	client.Client
	Scheme   *runtime.Scheme
	Interval time.Duration
}

func (r *DeferredFunctionTakesTheIntervalBack) Reconcile(ctx context.Context, req ctrl.Request) (result ctrl.Result, err error) {
	thing := &thingapi.Thing{}
	defer func() {
		result, err = conclude(result, err)
	}()
	if err = r.Get(ctx, req.NamespacedName, thing); err != nil {
		return
	}
	if !thing.DeletionTimestamp.IsZero() {
		return
	}
	result, err = tracked(thing, func() (ctrl.Result, error) {
		if err := r.writeService(ctx, thing); err != nil {
			return result, err
		}
		return result, r.writeConfig(ctx, thing)
	})
	if err == nil {
		result.RequeueAfter = r.Interval
	}
	return
}

// tracked does the work unless the Thing is paused.
func tracked(thing *thingapi.Thing, work func() (ctrl.Result, error)) (ctrl.Result, error) {
	if thing.Annotations["paused"] != "" {
		return ctrl.Result{}, nil
	}
	return work()
}

// conclude returns what the manager is told.
func conclude(result ctrl.Result, err error) (ctrl.Result, error) {
	if err == nil {
		return ctrl.Result{}, nil
	}
	return result, err
}

func (r *DeferredFunctionTakesTheIntervalBack) writeService(ctx context.Context, thing *thingapi.Thing) error {
	svc := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, svc, func() error {
		svc.Spec.Selector = thing.Spec.Labels
		return controllerutil.SetControllerReference(thing, svc, r.Scheme)
	})
	return err
}

func (r *DeferredFunctionTakesTheIntervalBack) writeConfig(ctx context.Context, thing *thingapi.Thing) error {
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, cm, func() error {
		cm.Data = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, cm, r.Scheme)
	})
	return err
}

func (r *DeferredFunctionTakesTheIntervalBack) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Service{}).
		Complete(r) // want "missingwatch: .*ConfigMap .*10 hours by default"
}
