// Package shared makes objects for several controllers. One of them looks after some.
package shared

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
)

// A Collector makes the objects of one collector for all Things and Parts.
type Collector struct {
	client.Client
	Namespace string
}

// Ensure makes what is missing.
func (c *Collector) Ensure(ctx context.Context) error {
	meta := metav1.ObjectMeta{Namespace: c.Namespace, Name: "collector"}
	for _, obj := range []client.Object{
		&corev1.ConfigMap{ObjectMeta: meta},
		&rbacv1.RoleBinding{ObjectMeta: meta},
	} {
		if err := c.Apply(ctx, obj); err != nil {
			return err
		}
	}
	return nil
}

// Apply makes one object.
func (c *Collector) Apply(ctx context.Context, obj client.Object) error {
	return client.IgnoreAlreadyExists(c.Create(ctx, obj))
}

// Outputs repairs the ConfigMap of the collector, and forgets the RoleBinding.
type Outputs struct{ *Collector }

func (r *Outputs) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, r.Ensure(ctx)
}

func (r *Outputs) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		Named("outputs").
		Watches(&corev1.ConfigMap{}, &handler.EnqueueRequestForObject{}).
		Complete(r) // want `missingwatch: Reconcile creates rbacv1.RoleBinding \(.*shared.go:28\) but the controller does not watch it`
}
