// Package fixture runs a task once: what it makes in one phase of the task is
// not made again in the next, whoever deletes it.
package fixture

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/util/retry"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// The phases of a Thing that runs once.
const (
	submitted = "Submitted"
	restarted = "Restarted"
	running   = "Running"
	done      = "Done"
)

// ThingReconciler runs Things.
type ThingReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

// Reconcile takes the next step in the life of a Thing.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	switch thing.Status.Phase {
	case submitted, restarted:
		return ctrl.Result{}, r.start(ctx, req)
	case running:
		return ctrl.Result{}, r.observe(ctx, thing)
	}
	return ctrl.Result{}, nil
}

func (r *ThingReconciler) start(ctx context.Context, req ctrl.Request) error {
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		thing := &thingapi.Thing{}
		if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
			return err
		}
		if err := createService(ctx, r.Client, r.Scheme, thing); err != nil {
			return err
		}
		thing.Status.Phase = running
		return r.Status().Update(ctx, thing)
	})
}

func (r *ThingReconciler) observe(ctx context.Context, thing *thingapi.Thing) error {
	pod := &corev1.Pod{}
	if err := r.Get(ctx, client.ObjectKeyFromObject(thing), pod); err != nil {
		return err
	}
	if pod.Status.Phase != corev1.PodSucceeded {
		return nil
	}
	thing.Status.Phase = done
	return r.Status().Update(ctx, thing)
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		Named("thing").
		Watches(&thingapi.Thing{}, &handler.EnqueueRequestForObject{}).
		Watches(&corev1.Pod{}, &handler.EnqueueRequestForObject{}).
		Complete(r)
}

// PodReconciler exposes the Pods of Things, as long as they run, and Things, as
// long as they are not done.
type PodReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

// Reconcile brings the cluster in line with a Thing.
func (r *PodReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if thing.Status.Phase == done {
		return ctrl.Result{}, nil
	}
	pod := &corev1.Pod{}
	if err := r.Get(ctx, req.NamespacedName, pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if pod.Status.Phase == corev1.PodRunning {
		return ctrl.Result{}, createService(ctx, r.Client, r.Scheme, thing)
	}
	return ctrl.Result{}, nil
}

// SetupWithManager registers the controller.
func (r *PodReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Pod{}).
		Complete(r) // want "missingwatch: Reconcile creates corev1.Service .* does not watch it"
}

func createService(ctx context.Context, c client.Client, scheme *runtime.Scheme, thing *thingapi.Thing) error {
	service := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace},
		Spec:       corev1.ServiceSpec{Selector: map[string]string{"thing": thing.Name}},
	}
	if err := controllerutil.SetControllerReference(thing, service, scheme); err != nil {
		return err
	}
	return client.IgnoreAlreadyExists(c.Create(ctx, service))
}
