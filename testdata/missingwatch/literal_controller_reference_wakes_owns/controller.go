// Package fixture makes controller references by hand, in three ways.
package fixture

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// ThingReconciler reconciles Things.
type ThingReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

var thingKind = thingapi.GroupVersion.WithKind("Thing")

func controllerRef(thing *thingapi.Thing) metav1.OwnerReference {
	isController := true
	return metav1.OwnerReference{
		APIVersion: thingKind.GroupVersion().String(),
		Kind:       thingKind.Kind,
		Name:       thing.Name,
		UID:        thing.UID,
		Controller: &isController,
	}
}

// Reconcile brings the cluster in line with a Thing.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	config := newConfigMap(thing)
	config.OwnerReferences = append(config.OwnerReferences, controllerRef(thing))
	if err := client.IgnoreAlreadyExists(r.Create(ctx, config)); err != nil {
		return ctrl.Result{}, err
	}
	secret := newSecret(thing)
	secret.SetOwnerReferences([]metav1.OwnerReference{*metav1.NewControllerRef(thing, thingKind)})
	if err := client.IgnoreAlreadyExists(r.Create(ctx, secret)); err != nil {
		return ctrl.Result{}, err
	}
	service := newService(thing)
	service.OwnerReferences = []metav1.OwnerReference{{
		APIVersion: thingapi.GroupVersion.String(),
		Kind:       "Thing",
		Name:       thing.Name,
		UID:        thing.UID,
		Controller: ptr.To(true),
	}}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, service))
}

func newConfigMap(thing *thingapi.Thing) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-config", Namespace: thing.Namespace},
		Data:       thing.Spec.Config,
	}
}

func newSecret(thing *thingapi.Thing) *corev1.Secret {
	return &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-credentials", Namespace: thing.Namespace},
		StringData: map[string]string{"user": thing.Name},
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
		Owns(&corev1.Secret{}).
		Owns(&corev1.Service{}).
		Complete(r)
}
