// Package fixture has no type with a Reconcile method: a method value of another
// name is the reconciler.
package fixture

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

type worker struct {
	client client.Client
	scheme *runtime.Scheme
}

func (w *worker) sync(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	thing := &thingapi.Thing{}
	if err := w.client.Get(ctx, req.NamespacedName, thing); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	service := newService(thing)
	if err := controllerutil.SetControllerReference(thing, service, w.scheme); err != nil {
		return reconcile.Result{}, err
	}
	return reconcile.Result{}, client.IgnoreAlreadyExists(w.client.Create(ctx, service))
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

// Register adds the controller to the manager.
func Register(mgr manager.Manager) error {
	w := &worker{client: mgr.GetClient(), scheme: mgr.GetScheme()}
	return builder.ControllerManagedBy(mgr).
		Named("thing").
		For(&thingapi.Thing{}).
		Complete(reconcile.Func(w.sync)) // want "missingwatch: .*Service"
}
