// Package fixture watches Secrets with an event handler of its own.
package fixture

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

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

	secret := newSecret(thing)
	secret.Labels = map[string]string{"thing": thing.Name}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, secret))
}

func newSecret(thing *thingapi.Thing) *corev1.Secret {
	return &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-credentials", Namespace: thing.Namespace},
		StringData: map[string]string{"user": thing.Name},
	}
}

type queue = workqueue.TypedRateLimitingInterface[reconcile.Request]

// labelHandler enqueues the Thing that a label names.
type labelHandler struct{}

func (labelHandler) enqueue(obj client.Object, q queue) {
	if name, ok := obj.GetLabels()["thing"]; ok {
		q.Add(reconcile.Request{NamespacedName: types.NamespacedName{Namespace: obj.GetNamespace(), Name: name}})
	}
}

func (h labelHandler) Create(_ context.Context, e event.CreateEvent, q queue) { h.enqueue(e.Object, q) }

func (h labelHandler) Update(_ context.Context, e event.UpdateEvent, q queue) {
	h.enqueue(e.ObjectNew, q)
}

func (h labelHandler) Delete(_ context.Context, e event.DeleteEvent, q queue) { h.enqueue(e.Object, q) }

func (h labelHandler) Generic(_ context.Context, e event.GenericEvent, q queue) {
	h.enqueue(e.Object, q)
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Watches(&corev1.Secret{}, labelHandler{}).
		Complete(r)
}
