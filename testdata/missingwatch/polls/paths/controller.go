// Package fixture polls on each path, or on some.
package fixture

import (
	"context"
	"errors"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const interval = 10 * time.Second

// PolledEveryTenSecondsOnEachPath asks to be called again in ten seconds on
// every path that does not fail: it polls by design, and a deleted ConfigMap is
// back soon.
type PolledEveryTenSecondsOnEachPath struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *PolledEveryTenSecondsOnEachPath) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	again := ctrl.Result{RequeueAfter: interval}
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	config := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, config, func() error {
		config.Data = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, config, r.Scheme)
	})
	if err != nil {
		return again, err
	}
	return again, nil
}

func (r *PolledEveryTenSecondsOnEachPath) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}

var checkInterval = 2 * time.Second

// PollsBehindChecksThatEndWithoutAPoll polls whenever it has dealt with its
// outputs. What ends before is for Things whose outputs nobody keeps: they are
// invalid, suspended, done.
type PollsBehindChecksThatEndWithoutAPoll struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *PollsBehindChecksThatEndWithoutAPoll) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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
			return ctrl.Result{RequeueAfter: checkInterval}, err
		}
		return ctrl.Result{}, nil // the user must act
	}
	result, err := r.suspend(ctx, thing)
	if err != nil || thing.Spec.Paused {
		return result, err
	}

	if err := r.writeService(ctx, thing); err != nil {
		return ctrl.Result{RequeueAfter: checkInterval}, err
	}
	if err := r.writeConfig(ctx, thing); err != nil {
		return ctrl.Result{RequeueAfter: checkInterval}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{RequeueAfter: checkInterval}, nil
}

func validate(thing *thingapi.Thing) error {
	if thing.Spec.Image == "" {
		return errors.New("no image")
	}
	return nil
}

// suspend deletes what a paused Thing does not need.
func (r *PollsBehindChecksThatEndWithoutAPoll) suspend(ctx context.Context, thing *thingapi.Thing) (ctrl.Result, error) {
	if !thing.Spec.Paused {
		return ctrl.Result{}, nil
	}
	gone, err := r.cleanUp(ctx, thing)
	if err != nil || gone {
		return ctrl.Result{}, err
	}
	return ctrl.Result{RequeueAfter: checkInterval}, nil
}

func (r *PollsBehindChecksThatEndWithoutAPoll) cleanUp(ctx context.Context, thing *thingapi.Thing) (bool, error) {
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

func (r *PollsBehindChecksThatEndWithoutAPoll) writeService(ctx context.Context, thing *thingapi.Thing) error {
	svc := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, svc, func() error {
		svc.Spec.Selector = thing.Spec.Labels
		return controllerutil.SetControllerReference(thing, svc, r.Scheme)
	})
	return err
}

func (r *PollsBehindChecksThatEndWithoutAPoll) writeConfig(ctx context.Context, thing *thingapi.Thing) error {
	config := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, config, func() error {
		config.Data = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, config, r.Scheme)
	})
	return err
}

func (r *PollsBehindChecksThatEndWithoutAPoll) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Service{}).
		Complete(r)
}

// NoPollAfterTheConfigWasCreated polls, except after it has made the ConfigMap
// that was not there: then nothing wakes it again.
type NoPollAfterTheConfigWasCreated struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *NoPollAfterTheConfigWasCreated) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if thing.GetDeletionTimestamp() != nil {
		return ctrl.Result{}, nil
	}
	if err := r.writeService(ctx, thing); err != nil {
		return ctrl.Result{}, err
	}
	config := &corev1.ConfigMap{}
	if err := r.Get(ctx, req.NamespacedName, config); err != nil {
		if apierrors.IsNotFound(err) {
			return ctrl.Result{}, r.writeConfig(ctx, thing)
		}
		return ctrl.Result{}, err
	}
	return ctrl.Result{RequeueAfter: 5 * time.Second}, nil
}

func (r *NoPollAfterTheConfigWasCreated) writeService(ctx context.Context, thing *thingapi.Thing) error {
	svc := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, svc, func() error {
		svc.Spec.Selector = thing.Spec.Labels
		return controllerutil.SetControllerReference(thing, svc, r.Scheme)
	})
	return err
}

func (r *NoPollAfterTheConfigWasCreated) writeConfig(ctx context.Context, thing *thingapi.Thing) error {
	config := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, config, func() error {
		config.Data = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, config, r.Scheme)
	})
	return err
}

func (r *NoPollAfterTheConfigWasCreated) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Service{}).
		Complete(r) // want "missingwatch: .*ConfigMap .*10 hours by default"
}

// ComesBackOnlyWhileTheConfigIsMissing asks to be called again after it has
// made a ConfigMap, or when another is not there yet. Once both are there it
// waits for events.
type ComesBackOnlyWhileTheConfigIsMissing struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *ComesBackOnlyWhileTheConfigIsMissing) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if thing.GetDeletionTimestamp() != nil {
		return ctrl.Result{}, nil
	}
	if err := r.writeService(ctx, thing); err != nil {
		return ctrl.Result{}, err
	}
	config, err := r.find(ctx, thing)
	if err != nil {
		return ctrl.Result{}, err
	}
	if config == nil {
		if err := r.writeConfig(ctx, thing); err != nil {
			return ctrl.Result{}, err
		}
		return ctrl.Result{RequeueAfter: 5 * time.Second}, nil
	}
	return ctrl.Result{}, nil
}

func (r *ComesBackOnlyWhileTheConfigIsMissing) find(ctx context.Context, thing *thingapi.Thing) (*corev1.ConfigMap, error) {
	config := &corev1.ConfigMap{}
	err := r.Get(ctx, client.ObjectKeyFromObject(thing), config)
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	return config, err
}

func (r *ComesBackOnlyWhileTheConfigIsMissing) writeService(ctx context.Context, thing *thingapi.Thing) error {
	svc := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, svc, func() error {
		svc.Spec.Selector = thing.Spec.Labels
		return controllerutil.SetControllerReference(thing, svc, r.Scheme)
	})
	return err
}

func (r *ComesBackOnlyWhileTheConfigIsMissing) writeConfig(ctx context.Context, thing *thingapi.Thing) error {
	config := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, config, func() error {
		config.Data = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, config, r.Scheme)
	})
	return err
}

func (r *ComesBackOnlyWhileTheConfigIsMissing) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Service{}).
		Complete(r) // want "missingwatch: .*ConfigMap .*10 hours by default"
}

// ComesBackWhenItsTimeToLiveIsOver watches one of its outputs. It comes back
// often while a Thing is young, and then when its time to live is over: nothing
// to rely on.
type ComesBackWhenItsTimeToLiveIsOver struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *ComesBackWhenItsTimeToLiveIsOver) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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
	if end := thing.CreationTimestamp.Add(time.Hour); end.After(time.Now()) {
		seconds := int32(time.Until(end).Seconds())
		return ctrl.Result{RequeueAfter: time.Duration(seconds) * time.Second}, nil
	}
	return ctrl.Result{RequeueAfter: 3 * time.Second}, nil
}

func (r *ComesBackWhenItsTimeToLiveIsOver) writeService(ctx context.Context, thing *thingapi.Thing) error {
	svc := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, svc, func() error {
		svc.Spec.Selector = thing.Spec.Labels
		return controllerutil.SetControllerReference(thing, svc, r.Scheme)
	})
	return err
}

func (r *ComesBackWhenItsTimeToLiveIsOver) writeConfig(ctx context.Context, thing *thingapi.Thing) error {
	config := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, config, func() error {
		config.Data = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, config, r.Scheme)
	})
	return err
}

func (r *ComesBackWhenItsTimeToLiveIsOver) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Service{}).
		Complete(r) // want "missingwatch: .*ConfigMap .*waits for the next poll$"
}
