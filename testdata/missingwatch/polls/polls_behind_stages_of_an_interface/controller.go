// Package fixture polls as long as there is something to do. What is done is chosen
// among stages behind an interface.
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

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

type stage interface {
	run(ctx context.Context, thing *thingapi.Thing) error
}

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
	if thing.Status.Phase == "Done" {
		return ctrl.Result{}, nil
	}
	if err := r.writeService(ctx, thing); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.next(thing).run(ctx, thing); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{RequeueAfter: 5 * time.Second}, nil
}

func (r *ThingReconciler) next(thing *thingapi.Thing) stage {
	if thing.Status.Phase == "" {
		return &configured{r}
	}
	return &labelled{r}
}

type labelled struct{ *ThingReconciler }

func (s *labelled) run(ctx context.Context, thing *thingapi.Thing) error {
	thing.Labels = thing.Spec.Labels
	return s.Update(ctx, thing)
}

type configured struct{ *ThingReconciler }

func (r *ThingReconciler) writeService(ctx context.Context, thing *thingapi.Thing) error {
	svc := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, svc, func() error {
		svc.Spec.Selector = thing.Spec.Labels
		return controllerutil.SetControllerReference(thing, svc, r.Scheme)
	})
	return err
}

func (r *configured) run(ctx context.Context, thing *thingapi.Thing) error {
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
