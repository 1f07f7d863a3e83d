// Package fixture starts the watch of an optional kind from Reconcile, once.
package fixture

import (
	"context"
	"sync/atomic"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// ThingReconciler reconciles Things.
type ThingReconciler struct {
	client.Client
	Scheme     *runtime.Scheme
	cache      cache.Cache
	mapper     meta.RESTMapper
	controller controller.Controller
	watching   atomic.Bool
}

// Reconcile brings the cluster in line with a Thing.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := r.watchAutoscalers(); err != nil {
		return ctrl.Result{}, err
	}
	autoscaler := &autoscalingv2.HorizontalPodAutoscaler{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace},
	}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, autoscaler, func() error {
		autoscaler.Spec.MaxReplicas = 5
		return controllerutil.SetControllerReference(thing, autoscaler, r.Scheme)
	})
	return ctrl.Result{}, err
}

func (r *ThingReconciler) watchAutoscalers() error {
	if !r.watching.CompareAndSwap(false, true) {
		return nil
	}
	toOwner := handler.EnqueueRequestForOwner(r.Scheme, r.mapper, &thingapi.Thing{}, handler.OnlyControllerOwner())
	var kind client.Object = &autoscalingv2.HorizontalPodAutoscaler{}
	return r.controller.Watch(source.Kind(r.cache, kind, toOwner))
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	c, err := ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Build(r)
	if err != nil {
		return err
	}
	r.controller, r.cache, r.mapper = c, mgr.GetCache(), mgr.GetRESTMapper()
	return nil
}
