// Package fixture has tables of what its controllers own, with a predicate in each row.
package fixture

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// outputs makes the objects of Things.
type outputs struct {
	client.Client
	Scheme *runtime.Scheme
}

// Reconcile brings a ConfigMap, a ServiceAccount and a StatefulSet in line with a Thing.
func (r *outputs) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	configMap := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	if _, err := controllerutil.CreateOrUpdate(ctx, r.Client, configMap, func() error {
		configMap.Data = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, configMap, r.Scheme)
	}); err != nil {
		return ctrl.Result{}, err
	}

	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	if _, err := controllerutil.CreateOrUpdate(ctx, r.Client, account, func() error {
		return controllerutil.SetControllerReference(thing, account, r.Scheme)
	}); err != nil {
		return ctrl.Result{}, err
	}

	set := &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, set, func() error {
		set.Spec.VolumeClaimTemplates = []corev1.PersistentVolumeClaim{{ObjectMeta: metav1.ObjectMeta{Name: "data"}}}
		return controllerutil.SetControllerReference(thing, set, r.Scheme)
	})
	return ctrl.Result{}, err
}

// onlyDeletions returns a predicate that drops all updates, on purpose.
func onlyDeletions() predicate.Funcs {
	return predicate.Funcs{UpdateFunc: func(event.UpdateEvent) bool { return false }}
}

type owned struct {
	objects []client.Object
	filter  predicate.Predicate
}

// HidesTheConfigMap filters one row with a predicate that hides edits. Another row drops
// all updates on purpose. It makes no claims but those of the StatefulSet.
type HidesTheConfigMap struct{ outputs }

func (r *HidesTheConfigMap) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return r.outputs.Reconcile(ctx, req)
}

// table returns what the controller owns.
func (r *HidesTheConfigMap) table(deletions predicate.Funcs) []owned {
	return []owned{
		{
			objects: []client.Object{&corev1.ConfigMap{}, &corev1.PersistentVolumeClaim{}, &appsv1.StatefulSet{}},
			filter:  predicate.GenerationChangedPredicate{},
		},
		{
			objects: []client.Object{&corev1.ServiceAccount{}},
			filter:  deletions,
		},
	}
}

func (r *HidesTheConfigMap) SetupWithManager(mgr ctrl.Manager) error {
	b := ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{})
	for _, o := range r.table(onlyDeletions()) {
		for _, obj := range o.objects {
			b.Owns(obj, builder.WithPredicates(o.filter)) // want `blindpredicate: predicate hides edits of corev1.ConfigMap, which`
		}
	}
	return b.Complete(r)
}

// HidesNoEdits is its good twin: the row with the ConfigMap has a predicate that lets
// edits pass, and generations filter only the StatefulSet.
type HidesNoEdits struct{ outputs }

func (r *HidesNoEdits) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return r.outputs.Reconcile(ctx, req)
}

func (r *HidesNoEdits) SetupWithManager(mgr ctrl.Manager) error {
	table := []owned{
		{[]client.Object{&corev1.ConfigMap{}}, predicate.ResourceVersionChangedPredicate{}},
		{[]client.Object{&appsv1.StatefulSet{}}, predicate.GenerationChangedPredicate{}},
		{[]client.Object{&corev1.ServiceAccount{}}, onlyDeletions()},
	}
	b := ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{})
	for i := range table {
		for _, obj := range table[i].objects {
			b.Owns(obj, builder.WithPredicates(table[i].filter))
		}
	}
	return b.Complete(r)
}

// SwapsRows reads the objects from one row and the predicate from another, so that it is
// not known which belong together.
type SwapsRows struct{ outputs }

func (r *SwapsRows) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return r.outputs.Reconcile(ctx, req)
}

func (r *SwapsRows) SetupWithManager(mgr ctrl.Manager) error {
	table := []owned{
		{[]client.Object{&corev1.ConfigMap{}, &appsv1.StatefulSet{}}, predicate.GenerationChangedPredicate{}},
		{[]client.Object{&corev1.ServiceAccount{}}, onlyDeletions()},
	}
	b := ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{})
	for i, o := range table {
		for _, obj := range table[len(table)-1-i].objects {
			b.Owns(obj, builder.WithPredicates(o.filter))
		}
	}
	return b.Complete(r)
}
