// Package fixture has builders behind an interface, which set the owner when they update.
package fixture

import (
	"context"
	"fmt"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// A Builder builds an object and updates it.
type Builder interface {
	Build() client.Object
	Update(obj client.Object) error
}

type common struct {
	thing  *thingapi.Thing
	scheme *runtime.Scheme
}

func (c common) meta(suffix string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Name: c.thing.Name + suffix, Namespace: c.thing.Namespace}
}

type configBuilder struct{ common }

func (b *configBuilder) Build() client.Object {
	return &corev1.ConfigMap{ObjectMeta: b.meta("")}
}

func (b *configBuilder) Update(obj client.Object) error {
	config := obj.(*corev1.ConfigMap)
	config.Data = b.thing.Spec.Config
	return controllerutil.SetControllerReference(b.thing, config, b.scheme)
}

type serviceBuilder struct{ common }

func (b *serviceBuilder) Build() client.Object {
	return &corev1.Service{ObjectMeta: b.meta("")}
}

func (b *serviceBuilder) Update(obj client.Object) error {
	service, ok := obj.(*corev1.Service)
	if !ok {
		return fmt.Errorf("%T is no Service", obj)
	}
	service.Spec.Selector = map[string]string{"thing": b.thing.Name}
	return controllerutil.SetControllerReference(b.thing, service, b.scheme)
}

// headlessBuilder sets no owner.
type headlessBuilder struct{ common }

func (b *headlessBuilder) Build() client.Object {
	return &corev1.Service{ObjectMeta: b.meta("-headless")}
}

func (b *headlessBuilder) Update(obj client.Object) error {
	service := obj.(*corev1.Service)
	service.Spec.ClusterIP = corev1.ClusterIPNone
	return nil
}

func keep(ctx context.Context, c client.Client, b Builder) error {
	obj := b.Build()
	_, err := controllerutil.CreateOrUpdate(ctx, c, obj, func() error { return b.Update(obj) })
	return err
}

// Reconciler uses one builder that sets no owner.
type Reconciler struct{ client.Client }

// Reconcile keeps what the builders build.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	c := common{thing, r.Scheme()}
	for _, b := range []Builder{&configBuilder{c}, &serviceBuilder{c}, &headlessBuilder{c}} {
		obj := b.Build()
		if _, err := controllerutil.CreateOrUpdate(ctx, r.Client, obj, func() error { return b.Update(obj) }); err != nil { // want "missingwatch: .*Service.*controller reference"
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

// SetupWithManager registers the reconciler.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}).
		Owns(&corev1.Service{}).
		Complete(r)
}

// Careful uses only builders that set the owner.
type Careful struct{ client.Client }

// Reconcile keeps what the builders build.
func (r *Careful) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	c := common{thing, r.Scheme()}
	for _, b := range []Builder{&configBuilder{c}, &serviceBuilder{c}} {
		if err := keep(ctx, r.Client, b); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

// SetupWithManager registers the reconciler.
func (r *Careful) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}).
		Owns(&corev1.Service{}).
		Complete(r)
}
