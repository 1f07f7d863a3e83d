// Package fixture has one helper for two kinds, which asks a method of the object
// what it needs.
package fixture

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// An exposed is an object that may need a Service.
type exposed interface {
	client.Object
	NeedsService() bool
}

// Thing needs a Service unless it is done.
type Thing struct{ thingapi.Thing }

// NeedsService reports whether the Thing is still there to be called.
func (t *Thing) NeedsService() bool { return t.Status.Phase != "Done" }

// Part never needs a Service.
type Part struct{ thingapi.Part }

// NeedsService returns false: nobody calls a Part.
func (*Part) NeedsService() bool { return false }

type exposer struct{ client.Client }

func (e *exposer) expose(ctx context.Context, obj exposed) error {
	if obj.NeedsService() {
		return e.service(ctx, obj)
	}
	return nil
}

func (e *exposer) service(ctx context.Context, obj exposed) error {
	service := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: obj.GetName(), Namespace: obj.GetNamespace()}}
	_, err := controllerutil.CreateOrUpdate(ctx, e.Client, service, func() error {
		service.Spec.Selector = obj.GetLabels()
		return nil
	})
	return err
}

// KindThatMayNeedIt exposes Things.
type KindThatMayNeedIt struct{ exposer }

func (r *KindThatMayNeedIt) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, r.expose(ctx, thing)
}

func (r *KindThatMayNeedIt) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: .*Service"
}

// KindThatNeverNeedsIt does not expose Parts.
type KindThatNeverNeedsIt struct{ exposer }

func (r *KindThatNeverNeedsIt) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	part := &Part{}
	if err := r.Get(ctx, req.NamespacedName, part); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, r.expose(ctx, part)
}

func (r *KindThatNeverNeedsIt) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Part{}).
		Complete(r)
}
