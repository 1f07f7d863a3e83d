// Package fixture has two controllers that share a step. Each finds the ConfigMaps of its
// own objects by an annotation.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const annotation = "example.com/owner"

// A Namer knows the name of what is made for an object.
type Namer interface {
	UniqueName(obj client.Object) string
}

// Step writes the ConfigMap of an object.
type Step struct {
	client.Client
	Names Namer
}

func (s *Step) write(ctx context.Context, owner client.Object) error {
	cm := &corev1.ConfigMap{}
	cm.Name, cm.Namespace = s.Names.UniqueName(owner), "configs"
	_, err := controllerutil.CreateOrUpdate(ctx, s.Client, cm, func() error {
		cm.Annotations = map[string]string{annotation: owner.GetName()}
		return nil
	})
	return err
}

func ofOwner(_ context.Context, obj client.Object) []reconcile.Request {
	owner := obj.GetAnnotations()[annotation]
	if owner == "" {
		return nil
	}
	return []reconcile.Request{{NamespacedName: client.ObjectKey{Name: owner}}}
}

// Things sees the ConfigMaps of its own objects.
type Things struct{ Step }

func (r *Things) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, r.write(ctx, thing)
}

func (r *Things) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Watches(&corev1.ConfigMap{}, handler.EnqueueRequestsFromMapFunc(ofOwner)).
		Complete(r)
}

// Parts sees none, and those of Things are not its own.
type Parts struct{ Step }

func (r *Parts) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	part := &thingapi.Part{}
	if err := r.Get(ctx, req.NamespacedName, part); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, r.write(ctx, part)
}

func (r *Parts) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Part{}).Complete(r) // want "missingwatch: Reconcile writes corev1.ConfigMap"
}
