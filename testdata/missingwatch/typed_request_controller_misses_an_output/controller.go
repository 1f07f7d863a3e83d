// Package fixture has requests of its own type. Its builder has no Owns; Services
// are watched through a typed handler, ConfigMaps are not.
package fixture

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
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
	for _, obj := range []client.Object{newService(thing), newConfigMap(thing)} {
		if err := controllerutil.SetControllerReference(thing, obj, r.Scheme); err != nil {
			return reconcile.Result{}, err
		}
		if err := client.IgnoreAlreadyExists(r.Create(ctx, obj)); err != nil {
			return reconcile.Result{}, err
		}
	}
	return reconcile.Result{}, nil
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

func newConfigMap(thing *thingapi.Thing) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-config", Namespace: thing.Namespace},
		Data:       thing.Spec.Config,
	}
}

func requestForThing(_ context.Context, thing client.Object) []ThingRequest {
	return []ThingRequest{{NamespacedName: client.ObjectKeyFromObject(thing), Reason: "thing changed"}}
}

func requestForController(_ context.Context, obj client.Object) []ThingRequest {
	owner := metav1.GetControllerOf(obj)
	if owner == nil || owner.Kind != "Thing" {
		return nil
	}
	key := types.NamespacedName{Namespace: obj.GetNamespace(), Name: owner.Name}
	return []ThingRequest{{NamespacedName: key, Reason: "output changed"}}
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return builder.TypedControllerManagedBy[ThingRequest](mgr).
		Named("thing").
		Watches(&thingapi.Thing{}, handler.TypedEnqueueRequestsFromMapFunc(requestForThing)).
		Watches(&corev1.Service{}, handler.TypedEnqueueRequestsFromMapFunc(requestForController)).
		Complete(r) // want "missingwatch: .*ConfigMap"
}
