// Package fixture looks again after an interval.
package fixture

import (
	"context"
	"os"
	"strconv"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
)

// IntervalOfItsSettingsIsAllThatWakesIt watches the Secrets that it reads and
// nothing that it makes: for that it comes back after an interval of its
// settings.
type IntervalOfItsSettingsIsAllThatWakesIt struct {
	client.Client
	Scheme   *runtime.Scheme
	Interval time.Duration
}

func (r *IntervalOfItsSettingsIsAllThatWakesIt) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := r.writeConfig(ctx, thing); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{RequeueAfter: r.Interval}, nil
}

func (r *IntervalOfItsSettingsIsAllThatWakesIt) writeConfig(ctx context.Context, thing *thingapi.Thing) error {
	config := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, config, func() error {
		config.Data = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, config, r.Scheme)
	})
	return err
}

func (r *IntervalOfItsSettingsIsAllThatWakesIt) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Watches(&corev1.Secret{}, &handler.EnqueueRequestForObject{}).
		Complete(r)
}

const resync = 10 * time.Minute

// LooksAgainEveryTenMinutes watches one of its outputs and looks after the
// other every ten minutes.
type LooksAgainEveryTenMinutes struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *LooksAgainEveryTenMinutes) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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
	result := ctrl.Result{RequeueAfter: resync}
	if thing.Status.ReadyReplicas == 0 {
		result.RequeueAfter = time.Second
	}
	return result, nil
}

func (r *LooksAgainEveryTenMinutes) writeService(ctx context.Context, thing *thingapi.Thing) error {
	svc := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, svc, func() error {
		svc.Spec.Selector = thing.Spec.Labels
		return controllerutil.SetControllerReference(thing, svc, r.Scheme)
	})
	return err
}

func (r *LooksAgainEveryTenMinutes) writeConfig(ctx context.Context, thing *thingapi.Thing) error {
	config := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, config, func() error {
		config.Data = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, config, r.Scheme)
	})
	return err
}

func (r *LooksAgainEveryTenMinutes) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Service{}).
		Complete(r) // want "missingwatch: .*ConfigMap .*waits for the next poll .every 10m0s."
}

// LooksAgainAfterAnIntervalOfTheEnvironment watches one of its outputs and
// looks after the other when an interval of the environment is over.
type LooksAgainAfterAnIntervalOfTheEnvironment struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *LooksAgainAfterAnIntervalOfTheEnvironment) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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
	seconds, err := strconv.Atoi(os.Getenv("RESYNC_SECONDS"))
	if err != nil {
		seconds = 300
	}
	return ctrl.Result{RequeueAfter: time.Duration(seconds) * time.Second}, nil
}

func (r *LooksAgainAfterAnIntervalOfTheEnvironment) writeService(ctx context.Context, thing *thingapi.Thing) error {
	svc := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, svc, func() error {
		svc.Spec.Selector = thing.Spec.Labels
		return controllerutil.SetControllerReference(thing, svc, r.Scheme)
	})
	return err
}

func (r *LooksAgainAfterAnIntervalOfTheEnvironment) writeConfig(ctx context.Context, thing *thingapi.Thing) error {
	config := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, config, func() error {
		config.Data = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, config, r.Scheme)
	})
	return err
}

func (r *LooksAgainAfterAnIntervalOfTheEnvironment) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Service{}).
		Complete(r) // want "missingwatch: .*ConfigMap .*waits for the next poll .every 5m0s."
}

// LooksAgainIfAnIntervalIsSet watches one of its outputs, and looks after the
// other from time to time if the settings say so.
type LooksAgainIfAnIntervalIsSet struct {
	client.Client
	Scheme   *runtime.Scheme
	Interval time.Duration
}

func (r *LooksAgainIfAnIntervalIsSet) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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
	return r.next()
}

func (r *LooksAgainIfAnIntervalIsSet) next() (ctrl.Result, error) {
	if r.Interval > 0 {
		return ctrl.Result{RequeueAfter: r.Interval}, nil
	}
	return ctrl.Result{}, nil
}

func (r *LooksAgainIfAnIntervalIsSet) writeService(ctx context.Context, thing *thingapi.Thing) error {
	svc := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, svc, func() error {
		svc.Spec.Selector = thing.Spec.Labels
		return controllerutil.SetControllerReference(thing, svc, r.Scheme)
	})
	return err
}

func (r *LooksAgainIfAnIntervalIsSet) writeConfig(ctx context.Context, thing *thingapi.Thing) error {
	config := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, config, func() error {
		config.Data = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, config, r.Scheme)
	})
	return err
}

func (r *LooksAgainIfAnIntervalIsSet) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Service{}).
		Complete(r) // want "missingwatch: .*ConfigMap .*waits for the next poll, if any"
}
