// Package fixture sends all its objects through one helper, and owns all kinds.
package fixture

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

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

	for _, obj := range []client.Object{newConfigMap(thing), newService(thing)} {
		if err := r.apply(ctx, thing, obj); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

func (r *ThingReconciler) apply(ctx context.Context, thing *thingapi.Thing, obj client.Object) error {
	if err := controllerutil.SetControllerReference(thing, obj, r.Scheme); err != nil {
		return err
	}
	err := r.Create(ctx, obj)
	if apierrors.IsAlreadyExists(err) {
		return r.Update(ctx, obj)
	}
	return err
}

func newConfigMap(thing *thingapi.Thing) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-config", Namespace: thing.Namespace},
		Data:       thing.Spec.Config,
	}
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
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}).
		Owns(&corev1.Service{}).
		Complete(r)
}
