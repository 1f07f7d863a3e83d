// Package fixture writes its own kind, and the status of objects.
package fixture

import (
	"context"
	"errors"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// TheReconciledKindItselfIsWritten writes only Things: a finalizer, defaults,
// the status, and a second Thing that the first one asks for.
type TheReconciledKindItselfIsWritten struct {
	client.Client
	Scheme *runtime.Scheme
}

const finalizer = "things.example.com/finalizer"

func (r *TheReconciledKindItselfIsWritten) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if controllerutil.AddFinalizer(thing, finalizer) {
		return ctrl.Result{}, r.Update(ctx, thing)
	}
	if thing.Spec.Port == 0 {
		before := thing.DeepCopy()
		thing.Spec.Port = 8080
		if err := r.Patch(ctx, thing, client.MergeFrom(before)); err != nil {
			return ctrl.Result{}, err
		}
	}
	if name := thing.Spec.TargetRef; name != "" {
		twin := &thingapi.Thing{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: thing.Namespace}}
		twin.Spec.Image = thing.Spec.Image
		if err := controllerutil.SetControllerReference(thing, twin, r.Scheme); err != nil {
			return ctrl.Result{}, err
		}
		if err := client.IgnoreAlreadyExists(r.Create(ctx, twin)); err != nil {
			return ctrl.Result{}, err
		}
	}
	thing.Status.ObservedGeneration = thing.Generation
	thing.Status.Phase = "Ready"
	return ctrl.Result{}, r.Status().Update(ctx, thing)
}

func (r *TheReconciledKindItselfIsWritten) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}

// StatusPatchedInADeferredFunction writes its status once, in a deferred
// function, and owns what it writes besides.
type StatusPatchedInADeferredFunction struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *StatusPatchedInADeferredFunction) Reconcile(ctx context.Context, req ctrl.Request) (_ ctrl.Result, err error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	before := thing.DeepCopy()
	defer func() {
		err = errors.Join(err, r.Status().Patch(ctx, thing, client.MergeFrom(before)))
	}()

	service := newService(thing)
	if err := controllerutil.SetControllerReference(thing, service, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	if err := client.IgnoreAlreadyExists(r.Create(ctx, service)); err != nil {
		return ctrl.Result{}, err
	}
	thing.Status.ObservedGeneration = thing.Generation
	return ctrl.Result{}, nil
}

func newService(thing *thingapi.Thing) *corev1.Service {
	return &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace},
		Spec: corev1.ServiceSpec{
			Selector: map[string]string{"thing": thing.Name},
			Ports:    []corev1.ServicePort{{Name: "http", Port: thing.Spec.Port}},
		},
	}
}

func (r *StatusPatchedInADeferredFunction) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Service{}).
		Complete(r)
}

// StatusOfAnotherKindIsPatched reports back in the status of the Part that a
// Thing names. It does not manage the Part.
type StatusOfAnotherKindIsPatched struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *StatusOfAnotherKindIsPatched) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	part := &thingapi.Part{}
	if err := r.Get(ctx, client.ObjectKey{Namespace: thing.Namespace, Name: thing.Spec.TargetRef}, part); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	before := part.DeepCopy()
	part.Status.Ready = thing.Status.Phase == "Ready"
	return ctrl.Result{}, r.Status().Patch(ctx, part, client.MergeFrom(before))
}

func (r *StatusOfAnotherKindIsPatched) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}
