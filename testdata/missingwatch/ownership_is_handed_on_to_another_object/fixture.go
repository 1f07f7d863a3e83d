// Package fixture makes a template that belongs to the Thing only until the Part
// which uses it exists: from then on it is the Part's.
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

// ThingReconciler reconciles Things.
type ThingReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

// Reconcile brings the cluster in line with a Thing.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	part := &thingapi.Part{}
	if err := r.Get(ctx, req.NamespacedName, part); err != nil {
		return ctrl.Result{}, r.createTemplate(ctx, thing)
	}
	return ctrl.Result{}, r.handOn(ctx, thing, part)
}

func (r *ThingReconciler) createTemplate(ctx context.Context, thing *thingapi.Thing) error {
	template := &corev1.PodTemplate{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	if err := controllerutil.SetControllerReference(thing, template, r.Scheme); err != nil {
		return err
	}
	return r.Create(ctx, template)
}

func (r *ThingReconciler) handOn(ctx context.Context, thing *thingapi.Thing, part *thingapi.Part) error {
	template := &corev1.PodTemplate{}
	if err := r.Get(ctx, client.ObjectKeyFromObject(thing), template); err != nil {
		return err
	}
	if metav1.IsControlledBy(template, thing) {
		if err := controllerutil.RemoveControllerReference(thing, template, r.Scheme); err != nil {
			return err
		}
	}
	if err := controllerutil.SetControllerReference(part, template, r.Scheme); err != nil {
		return err
	}
	return r.Update(ctx, template)
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&thingapi.Part{}).
		Complete(r)
}

// KeepingReconciler makes the template of a Thing, and takes it back if need be.
type KeepingReconciler struct {
	ThingReconciler
}

// Reconcile brings the cluster in line with a Thing.
func (r *KeepingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	template := &corev1.PodTemplate{}
	if err := r.Get(ctx, req.NamespacedName, template); err != nil {
		return ctrl.Result{}, r.createTemplate(ctx, thing)
	}
	if err := controllerutil.SetControllerReference(thing, template, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Update(ctx, template)
}

// SetupWithManager registers the controller.
func (r *KeepingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: Reconcile creates corev1.PodTemplate .* does not watch it"
}
