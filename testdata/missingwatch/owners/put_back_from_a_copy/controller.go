// Package fixture puts back the owner references that a copy of each object has.
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

// desired returns what a Thing needs.
func desired(thing *thingapi.Thing) []client.Object {
	return []client.Object{&corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: thing.Namespace, Name: thing.Name},
		Data:       thing.Spec.Config,
	}}
}

// restore makes the object what it was before it was read.
func restore(obj, want client.Object) controllerutil.MutateFn {
	return func() error {
		obj.SetLabels(want.GetLabels())
		if refs := want.GetOwnerReferences(); len(refs) > 0 {
			obj.SetOwnerReferences(refs)
		}
		return nil
	}
}

// WithoutReference owns the ConfigMap, but sets no controller reference.
type WithoutReference struct{ client.Client }

func (r *WithoutReference) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, r.applyAll(ctx, desired(thing)) // want "missingwatch: .*ConfigMap .*sets no controller reference"
}

func (r *WithoutReference) applyAll(ctx context.Context, objs []client.Object) error {
	for _, obj := range objs {
		want := obj.DeepCopyObject().(client.Object)
		if _, err := ctrl.CreateOrUpdate(ctx, r.Client, obj, restore(obj, want)); err != nil {
			return err
		}
	}
	return nil
}

func (r *WithoutReference) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}).
		Complete(r)
}

// WithReference sets it before it makes the copy.
type WithReference struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *WithReference) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, r.applyAll(ctx, thing, desired(thing))
}

func (r *WithReference) applyAll(ctx context.Context, thing *thingapi.Thing, objs []client.Object) error {
	for _, obj := range objs {
		if err := ctrl.SetControllerReference(thing, obj, r.Scheme); err != nil {
			return err
		}
		want := obj.DeepCopyObject().(client.Object)
		if _, err := ctrl.CreateOrUpdate(ctx, r.Client, obj, restore(obj, want)); err != nil {
			return err
		}
	}
	return nil
}

func (r *WithReference) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}).
		Complete(r)
}
