// Package fixture gets the client of a workload cluster from a tracker, by key.
package fixture

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// tracker keeps connections to workload clusters.
type tracker interface {
	GetClient(ctx context.Context, cluster client.ObjectKey) (client.Client, error)
}

// ThingReconciler reconciles Things.
type ThingReconciler struct {
	client.Client
	Tracker tracker
}

// Reconcile brings the cluster in line with a Thing.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	remote, err := r.Tracker.GetClient(ctx, client.ObjectKeyFromObject(thing))
	if err != nil {
		return ctrl.Result{}, err
	}
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: thing.Name}}
	if err := client.IgnoreAlreadyExists(remote.Create(ctx, namespace)); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(remote.Create(ctx, newSecret(thing)))
}

func newSecret(thing *thingapi.Thing) *corev1.Secret {
	return &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-credentials", Namespace: thing.Namespace},
		StringData: map[string]string{"user": thing.Name},
	}
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}
