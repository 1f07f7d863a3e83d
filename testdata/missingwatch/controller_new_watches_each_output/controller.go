// Package fixture builds its controller by hand and watches Things, ConfigMaps and
// Secrets.
package fixture

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// ThingReconciler reconciles Things.
type ThingReconciler struct {
	client client.Client
	scheme *runtime.Scheme
}

// Reconcile brings the cluster in line with a Thing.
func (r *ThingReconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.client.Get(ctx, req.NamespacedName, thing); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	for _, obj := range []client.Object{newConfigMap(thing), newSecret(thing)} {
		if err := controllerutil.SetControllerReference(thing, obj, r.scheme); err != nil {
			return reconcile.Result{}, err
		}
		if err := client.IgnoreAlreadyExists(r.client.Create(ctx, obj)); err != nil {
			return reconcile.Result{}, err
		}
	}
	return reconcile.Result{}, nil
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

// Add creates the controller and adds it to the manager.
func Add(mgr manager.Manager) error {
	r := &ThingReconciler{client: mgr.GetClient(), scheme: mgr.GetScheme()}
	c, err := controller.New("thing-controller", mgr, controller.Options{Reconciler: r})
	if err != nil {
		return err
	}
	err = c.Watch(source.Kind(mgr.GetCache(), &thingapi.Thing{}, &handler.TypedEnqueueRequestForObject[*thingapi.Thing]{}))
	if err != nil {
		return err
	}
	toOwner := handler.EnqueueRequestForOwner(
		mgr.GetScheme(), mgr.GetRESTMapper(), &thingapi.Thing{}, handler.OnlyControllerOwner())
	for _, kind := range []client.Object{&corev1.ConfigMap{}, &corev1.Secret{}} {
		if err := c.Watch(source.Kind(mgr.GetCache(), kind, toOwner)); err != nil {
			return err
		}
	}
	return nil
}
