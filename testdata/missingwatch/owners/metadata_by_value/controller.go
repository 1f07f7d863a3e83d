// Package fixture passes metadata by value to the functions that build objects.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func metadata(thing *thingapi.Thing) metav1.ObjectMeta {
	return metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}
}

func createConfig(ctx context.Context, c client.Client, meta metav1.ObjectMeta, data map[string]string) error {
	config := &corev1.ConfigMap{ObjectMeta: meta, Data: data}
	return client.IgnoreAlreadyExists(c.Create(ctx, config)) // want "missingwatch: .*ConfigMap.*controller reference"
}

func createSecret(ctx context.Context, c client.Client, meta metav1.ObjectMeta) error {
	return client.IgnoreAlreadyExists(c.Create(ctx, &corev1.Secret{ObjectMeta: meta}))
}

// Reconciler sets an owner in the metadata of the Secret, and none in that of the
// ConfigMap.
type Reconciler struct{ client.Client }

// Reconcile creates both.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := createConfig(ctx, r.Client, metadata(thing), thing.Spec.Config); err != nil {
		return ctrl.Result{}, err
	}
	owned := metadata(thing)
	owned.OwnerReferences = []metav1.OwnerReference{
		*metav1.NewControllerRef(thing, thingapi.GroupVersion.WithKind("Thing")),
	}
	return ctrl.Result{}, createSecret(ctx, r.Client, owned)
}

// SetupWithManager registers the reconciler.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}).
		Owns(&corev1.Secret{}).
		Complete(r)
}
