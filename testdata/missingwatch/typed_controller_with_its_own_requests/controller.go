// Package fixture has requests of its own type, and watches its output with a
// handler that makes such requests.
package fixture

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// ThingRequest names a Thing and says why it is looked at.
type ThingRequest struct {
	types.NamespacedName
	Reason string
}

// ThingReconciler reconciles Things.
type ThingReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

// Reconcile brings the cluster in line with a Thing.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ThingRequest) (reconcile.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	service := newService(thing)
	if err := controllerutil.SetControllerReference(thing, service, r.Scheme); err != nil {
		return reconcile.Result{}, err
	}
	return reconcile.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, service))
}

func newService(thing *thingapi.Thing) *corev1.Service {
	return &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace},
		Spec: corev1.ServiceSpec{
			Selector: map[string]string{"thing": thing.Name},
			Ports:    []corev1.ServicePort{{Name: "http", Port: thing.Spec.Port}},
		},
	}
}

type queue = workqueue.TypedRateLimitingInterface[ThingRequest]

func enqueueThing(_ context.Context, e event.TypedCreateEvent[client.Object], q queue) {
	q.Add(ThingRequest{NamespacedName: client.ObjectKeyFromObject(e.Object), Reason: "created"})
}

func enqueueController(_ context.Context, e event.TypedUpdateEvent[client.Object], q queue) {
	if owner := metav1.GetControllerOf(e.ObjectNew); owner != nil && owner.Kind == "Thing" {
		key := types.NamespacedName{Namespace: e.ObjectNew.GetNamespace(), Name: owner.Name}
		q.Add(ThingRequest{NamespacedName: key, Reason: "output changed"})
	}
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return builder.TypedControllerManagedBy[ThingRequest](mgr).
		Named("thing").
		Watches(&thingapi.Thing{}, handler.TypedFuncs[client.Object, ThingRequest]{CreateFunc: enqueueThing}).
		Watches(&corev1.Service{}, handler.TypedFuncs[client.Object, ThingRequest]{UpdateFunc: enqueueController}).
		Complete(r)
}
