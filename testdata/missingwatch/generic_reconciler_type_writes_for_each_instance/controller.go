// Package fixture has one generic reconciler for two kinds. What it writes is the
// same for both; only one of the controllers owns it.
package fixture

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// Reconciler gives each object of kind T an account.
type Reconciler[T client.Object] struct {
	client.Client
	Scheme *runtime.Scheme
	New    func() T
}

// Reconcile makes the account of an object.
func (r *Reconciler[T]) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	owner := r.New()
	if err := r.Get(ctx, req.NamespacedName, owner); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	account := &corev1.ServiceAccount{
		ObjectMeta: metav1.ObjectMeta{Name: owner.GetName(), Namespace: owner.GetNamespace()},
	}
	if err := controllerutil.SetControllerReference(owner, account, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, account))
}

// RegisterThings adds the controller of Things.
func RegisterThings(mgr ctrl.Manager) error {
	r := &Reconciler[*thingapi.Thing]{
		Client: mgr.GetClient(),
		Scheme: mgr.GetScheme(),
		New:    func() *thingapi.Thing { return &thingapi.Thing{} },
	}
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: .*ServiceAccount"
}

// RegisterParts adds the controller of Parts.
func RegisterParts(mgr ctrl.Manager) error {
	r := &Reconciler[*thingapi.Part]{
		Client: mgr.GetClient(),
		Scheme: mgr.GetScheme(),
		New:    func() *thingapi.Part { return &thingapi.Part{} },
	}
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Part{}).
		Owns(&corev1.ServiceAccount{}).
		Complete(r)
}
