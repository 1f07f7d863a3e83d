// Package fixture watches its outputs as raw sources, with handlers of the type
// that is watched.
package fixture

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/source"

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

	service := newService(thing)
	if err := controllerutil.SetControllerReference(thing, service, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, service))
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

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	services := source.Kind(mgr.GetCache(), &corev1.Service{},
		handler.TypedEnqueueRequestForOwner[*corev1.Service](
			mgr.GetScheme(), mgr.GetRESTMapper(), &thingapi.Thing{}, handler.OnlyControllerOwner()))
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		WatchesRawSource(services).
		Complete(r)
}
