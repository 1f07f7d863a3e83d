// Package fixture watches only the metadata of its Secrets, to save memory.
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
	"sigs.k8s.io/controller-runtime/pkg/handler"

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
	if err := controllerutil.SetControllerReference(thing, secret, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	err := r.Create(ctx, secret)
	if apierrors.IsAlreadyExists(err) {
		err = r.Update(ctx, secret)
	}
	return ctrl.Result{}, err
}

func newSecret(thing *thingapi.Thing) *corev1.Secret {
	return &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-credentials", Namespace: thing.Namespace},
		StringData: map[string]string{"user": thing.Name},
	}
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	toOwner := handler.EnqueueRequestForOwner(mgr.GetScheme(), mgr.GetRESTMapper(), &thingapi.Thing{})
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		WatchesMetadata(&corev1.Secret{}, toOwner).
		Complete(r)
}
