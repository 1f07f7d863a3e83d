// Package fixture leaves writes and owners to other packages.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/missingwatch/owners/helpers_of_another_package/kube"
	"github.com/operatorvet/operatorvet/testdata/missingwatch/owners/helpers_of_another_package/manifests"
	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// OwnerSetByTheHelperOfAnotherPackage leaves the owner to the package of
// builders, and the write to another one. All kinds are owned.
type OwnerSetByTheHelperOfAnotherPackage struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *OwnerSetByTheHelperOfAnotherPackage) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	objects, err := manifests.All(thing, r.Scheme)
	if err != nil {
		return ctrl.Result{}, err
	}
	for _, obj := range objects {
		if err := kube.Write(ctx, r.Client, obj); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

func (r *OwnerSetByTheHelperOfAnotherPackage) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}).
		Owns(&appsv1.Deployment{}).
		Complete(r)
}

// OwnerIsMissingAtTheCallIntoAnotherPackage hands an object without an owner to
// a helper of another package. The call is where the reference should have been
// set.
type OwnerIsMissingAtTheCallIntoAnotherPackage struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *OwnerIsMissingAtTheCallIntoAnotherPackage) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	config := newConfigMap(thing)
	config.Labels = map[string]string{"app.kubernetes.io/managed-by": "thing-controller"}
	return ctrl.Result{}, kube.WriteAsItIs(ctx, r.Client, config) // want "missingwatch: .*ConfigMap.*controller reference"
}

func newConfigMap(thing *thingapi.Thing) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-config", Namespace: thing.Namespace},
		Data:       thing.Spec.Config,
	}
}

func (r *OwnerIsMissingAtTheCallIntoAnotherPackage) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}).
		Complete(r)
}
