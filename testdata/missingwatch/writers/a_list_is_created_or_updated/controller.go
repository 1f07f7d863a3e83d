// Package fixture hands lists of objects to a function that creates or updates them.
package fixture

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// desired returns what a Thing needs.
func desired(thing *thingapi.Thing) []client.Object {
	meta := metav1.ObjectMeta{Namespace: thing.Namespace, Name: thing.Name}
	return []client.Object{
		&corev1.ConfigMap{ObjectMeta: meta, Data: thing.Spec.Config},
		&corev1.Service{ObjectMeta: meta, Spec: corev1.ServiceSpec{Selector: thing.Spec.Labels}},
	}
}

// applyAll creates the objects that are missing, and updates the others.
func applyAll(ctx context.Context, c client.Client, scheme *runtime.Scheme, thing *thingapi.Thing, objs []client.Object) error {
	for _, obj := range objs {
		want := obj.DeepCopyObject().(client.Object)
		if _, err := ctrl.CreateOrUpdate(ctx, c, obj, func() error {
			obj.SetLabels(want.GetLabels())
			return ctrl.SetControllerReference(thing, obj, scheme)
		}); err != nil {
			return err
		}
	}
	return nil
}

// WatchesOneOfTwo does not watch the ConfigMap.
type WatchesOneOfTwo struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *WatchesOneOfTwo) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, applyAll(ctx, r.Client, r.Scheme, thing, desired(thing))
}

func (r *WatchesOneOfTwo) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Service{}).
		Complete(r) // want "missingwatch: .*ConfigMap .*10 hours by default"
}

// WatchesBoth watches what it writes.
type WatchesBoth struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *WatchesBoth) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, applyAll(ctx, r.Client, r.Scheme, thing, desired(thing))
}

func (r *WatchesBoth) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Service{}).
		Owns(&corev1.ConfigMap{}).
		Complete(r)
}
