// Package fixture watches a kind with functions that select objects by their labels.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const (
	thingLabel = "example.com/thing"
	partLabel  = "example.com/part"
)

// thingOf returns a request for the Thing that a label of the object names.
func thingOf(_ context.Context, obj client.Object) []reconcile.Request {
	name := obj.GetLabels()[thingLabel]
	if name == "" {
		return nil
	}
	return []reconcile.Request{{NamespacedName: types.NamespacedName{Namespace: obj.GetNamespace(), Name: name}}}
}

func commonLabels(thing *thingapi.Thing) map[string]string {
	return map[string]string{partLabel: thing.Name}
}

// WithoutTheLabel sets another label than the one that it maps by.
type WithoutTheLabel struct{ client.Client }

func (r *WithoutTheLabel) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace, Labels: commonLabels(thing)}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, secret, func() error {
		secret.StringData = map[string]string{"color": "blue"}
		return nil
	})
	return ctrl.Result{}, err
}

func (r *WithoutTheLabel) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(thingOf)).
		Complete(r) // want "missingwatch: Reconcile writes corev1.Secret .* but the watches of its kind select only objects with the label example.com/thing"
}

// WithTheLabel sets both labels, one of them late.
type WithTheLabel struct{ client.Client }

func (r *WithTheLabel) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace, Labels: commonLabels(thing)}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, secret, func() error {
		mark(secret, thing)
		secret.StringData = map[string]string{"color": "blue"}
		return nil
	})
	return ctrl.Result{}, err
}

// mark sets the label by which events of the object find the Thing.
func mark(obj client.Object, thing *thingapi.Thing) {
	labels := obj.GetLabels()
	if labels == nil {
		labels = make(map[string]string)
	}
	labels[thingLabel] = thing.Name
	obj.SetLabels(labels)
}

func (r *WithTheLabel) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(thingOf)).
		Complete(r)
}

// LabelsOfTheSpec adds what the spec says, which may be any label.
type LabelsOfTheSpec struct{ client.Client }

func (r *LabelsOfTheSpec) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	labels := commonLabels(thing)
	for key, value := range thing.Spec.Labels {
		labels[key] = value
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace, Labels: labels}}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, secret))
}

func (r *LabelsOfTheSpec) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(thingOf)).
		Complete(r)
}

// FilterOfTheBuilder owns Secrets, of which a filter for all kinds lets none pass. The
// ConfigMap has the label.
type FilterOfTheBuilder struct{ client.Client }

func (r *FilterOfTheBuilder) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace, Labels: commonLabels(thing)}}
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace, Labels: commonLabels(thing)}}
	mark(cm, thing)
	for _, obj := range []client.Object{secret, cm} {
		if err := controllerutil.SetControllerReference(thing, obj, r.Scheme()); err != nil {
			return ctrl.Result{}, err
		}
		if err := r.Create(ctx, obj); client.IgnoreAlreadyExists(err) != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

func isOurs(obj client.Object) bool {
	if _, ok := obj.(*thingapi.Thing); ok {
		return true
	}
	_, ok := obj.GetLabels()[thingLabel]
	return ok
}

func (r *FilterOfTheBuilder) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Secret{}).
		Owns(&corev1.ConfigMap{}).
		WithEventFilter(predicate.Funcs{
			CreateFunc: func(e event.CreateEvent) bool { return isOurs(e.Object) },
			UpdateFunc: func(e event.UpdateEvent) bool { return isOurs(e.ObjectNew) },
			DeleteFunc: func(e event.DeleteEvent) bool { return isOurs(e.Object) },
		}).
		Complete(r) // want "missingwatch: Reconcile creates corev1.Secret .* but the watches of its kind select only objects with the label example.com/thing"
}

// AddedInALoop adds labels to those that are there, one by one.
type AddedInALoop struct{ client.Client }

func (r *AddedInALoop) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	if _, err := controllerutil.CreateOrUpdate(ctx, r.Client, secret, func() error {
		addLabels(secret, commonLabels(thing))
		secret.StringData = map[string]string{"color": "blue"}
		return nil
	}); err != nil {
		return ctrl.Result{}, err
	}
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, cm, func() error {
		addLabels(cm, map[string]string{thingLabel: thing.Name})
		cm.Data = map[string]string{"color": "blue"}
		return nil
	})
	return ctrl.Result{}, err
}

func addLabels(obj client.Object, added map[string]string) {
	labels := obj.GetLabels()
	if labels == nil {
		labels = make(map[string]string)
	}
	for key, value := range added {
		labels[key] = value
	}
	obj.SetLabels(labels)
}

func (r *AddedInALoop) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(thingOf)).
		Watches(&corev1.ConfigMap{}, handler.EnqueueRequestsFromMapFunc(thingOf)).
		Complete(r) // want "missingwatch: Reconcile writes corev1.Secret .* but the watches of its kind select only objects with the label example.com/thing"
}

// AddedHere adds a label of its own in a loop.
type AddedHere struct{ client.Client }

func (r *AddedHere) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, secret, func() error {
		if secret.Labels == nil {
			secret.Labels = map[string]string{}
		}
		for key, value := range commonLabels(thing) {
			secret.Labels[key] = value
		}
		secret.StringData = map[string]string{"color": "blue"}
		return nil
	})
	return ctrl.Result{}, err
}

func (r *AddedHere) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(thingOf)).
		Complete(r) // want "missingwatch: Reconcile writes corev1.Secret .* but the watches of its kind select only objects with the label example.com/thing"
}
