// Package fixture has two controllers that create Services by one call. It does not
// show whose they are, but neither controller watches Services.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// References makes owner references, somewhere else.
type References func(owner client.Object) []metav1.OwnerReference

// ServiceOfAPart creates a Service for a Part.
type ServiceOfAPart struct {
	client.Client
	References References
}

func (r *ServiceOfAPart) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	part := &thingapi.Part{}
	if err := r.Get(ctx, req.NamespacedName, part); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, createService(ctx, r.Client, part, r.References(part))
}

func (r *ServiceOfAPart) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Part{}).
		Complete(r) // want "missingwatch: Reconcile creates corev1.Service"
}

// ServiceOfAThing creates a Service for a Thing.
type ServiceOfAThing struct {
	client.Client
	References References
}

func (r *ServiceOfAThing) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, createService(ctx, r.Client, thing, r.References(thing))
}

func (r *ServiceOfAThing) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: Reconcile creates corev1.Service"
}

func createService(ctx context.Context, c client.Client, owner client.Object, references []metav1.OwnerReference) error {
	svc := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: owner.GetName(), Namespace: owner.GetNamespace(), OwnerReferences: references}}
	return client.IgnoreAlreadyExists(c.Create(ctx, svc))
}
