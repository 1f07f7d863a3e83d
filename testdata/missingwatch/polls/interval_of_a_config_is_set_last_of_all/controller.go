// Package fixture looks at each object again after an interval of its settings,
// whatever the steps have asked for; a deferred function has the last word on
// errors.
package fixture

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/operatorvet/operatorvet/testdata/missingwatch/polls/interval_of_a_config_is_set_last_of_all/config"
	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// ThingReconciler reconciles Things.
type ThingReconciler struct {
	client.Client
	Scheme *runtime.Scheme
	Config *config.Config
}

// Reconcile brings the cluster in line with a Thing.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (result ctrl.Result, err error) {
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
		result.RequeueAfter = r.Config.ResyncAfter()
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
	switch {
	case err == nil:
		return result, nil
	case apierrors.IsConflict(err):
		result.RequeueAfter = 5 * time.Second
		return result, nil
	}
	return result, err
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
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, cm, func() error {
		cm.Data = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, cm, r.Scheme)
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
