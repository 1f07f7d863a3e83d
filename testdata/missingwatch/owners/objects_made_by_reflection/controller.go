// Package fixture reads the live object into a new one of the desired object's type.
package fixture

import (
	"context"
	"reflect"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// LiveObjectByReflection makes the Thing the controller of a ServiceAccount that it
// finds, which may once have had none. Its Secret gets no controller.
type LiveObjectByReflection struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *LiveObjectByReflection) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	meta := metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}
	if err := r.adopt(ctx, thing, &corev1.ServiceAccount{ObjectMeta: meta}); err != nil {
		return ctrl.Result{}, err
	}
	secret := &corev1.Secret{ObjectMeta: meta}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, secret)) // want "missingwatch: corev1.Secret is watched by Owns"
}

// adopt creates an object, or makes the Thing its controller.
func (r *LiveObjectByReflection) adopt(ctx context.Context, thing *thingapi.Thing, desired client.Object) error {
	live := reflect.New(reflect.TypeOf(desired).Elem()).Interface().(client.Object)
	err := r.Get(ctx, client.ObjectKeyFromObject(desired), live)
	if apierrors.IsNotFound(err) {
		return r.Create(ctx, desired)
	} else if err != nil {
		return err
	}
	if metav1.IsControlledBy(live, thing) {
		return nil
	}
	if err := controllerutil.SetControllerReference(thing, live, r.Scheme); err != nil {
		return err
	}
	return r.Update(ctx, live)
}

func (r *LiveObjectByReflection) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ServiceAccount{}).
		Owns(&corev1.Secret{}).
		Complete(r)
}
