// Package fixture hides edits of a kind from Owns, and has another watch of the kind, which
// selects some of its objects.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// reconcileSecret keeps a Secret that the Thing controls.
func reconcileSecret(ctx context.Context, c client.Client, scheme *runtime.Scheme, key client.ObjectKey, name string) error {
	thing := &thingapi.Thing{}
	if err := c.Get(ctx, key, thing); err != nil {
		return client.IgnoreNotFound(err)
	}
	desired := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: key.Namespace},
		StringData: map[string]string{"password": "secret"},
	}
	if err := controllerutil.SetControllerReference(thing, desired, scheme); err != nil {
		return err
	}
	live := &corev1.Secret{}
	if err := c.Get(ctx, client.ObjectKeyFromObject(desired), live); err != nil {
		return c.Create(ctx, desired)
	}
	live.StringData = desired.StringData
	return c.Update(ctx, live)
}

// TrustOfTheSpec maps the Secrets that a spec names, apart from which it keeps one of
// its own.
type TrustOfTheSpec struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *TrustOfTheSpec) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, reconcileSecret(ctx, r.Client, r.Scheme, req.NamespacedName, "thing-settings")
}

// ofSpec returns requests for the Things whose spec has the name of an object.
func (r *TrustOfTheSpec) ofSpec(ctx context.Context, obj client.Object) (requests []reconcile.Request) {
	things := &thingapi.ThingList{}
	if err := r.List(ctx, things, client.InNamespace(obj.GetNamespace())); err != nil {
		return nil
	}
	for i := range things.Items {
		if thing := &things.Items[i]; thing.Spec.SecretRef == obj.GetName() {
			requests = append(requests, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(thing)})
		}
	}
	return requests
}

func (r *TrustOfTheSpec) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Secret{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})). // want "blindpredicate: predicate hides edits of corev1.Secret"
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(r.ofSpec)).
		Complete(r)
}

// TrustOfAnIndex looks the Secrets that a spec names up in an index, and keeps one named
// after the Thing.
type TrustOfAnIndex struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *TrustOfAnIndex) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, reconcileSecret(ctx, r.Client, r.Scheme, req.NamespacedName, req.Name+"-settings")
}

// inIndex returns requests for the Things whose spec has the name of an object.
func (r *TrustOfAnIndex) inIndex(ctx context.Context, obj client.Object) (requests []reconcile.Request) {
	things := &thingapi.ThingList{}
	if err := r.List(ctx, things, client.MatchingFields{"spec.secretRef": obj.GetName()}); err != nil {
		return nil
	}
	for i := range things.Items {
		requests = append(requests, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&things.Items[i])})
	}
	return requests
}

func (r *TrustOfAnIndex) SetupWithManager(mgr ctrl.Manager) error {
	index := func(obj client.Object) []string { return []string{obj.(*thingapi.Thing).Spec.SecretRef} }
	if err := mgr.GetFieldIndexer().IndexField(context.Background(), &thingapi.Thing{}, "spec.secretRef", index); err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Secret{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})). // want "blindpredicate: predicate hides edits of corev1.Secret"
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(r.inIndex)).
		Complete(r)
}

// SettingsOfAFixedName maps the one Secret that it keeps by its name, too.
type SettingsOfAFixedName struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *SettingsOfAFixedName) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, reconcileSecret(ctx, r.Client, r.Scheme, req.NamespacedName, "thing-settings")
}

func (r *SettingsOfAFixedName) ofName(ctx context.Context, obj client.Object) []reconcile.Request {
	if obj.GetName() != "thing-settings" {
		return nil
	}
	return []reconcile.Request{{NamespacedName: client.ObjectKey{Namespace: obj.GetNamespace(), Name: "thing"}}}
}

func (r *SettingsOfAFixedName) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Secret{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(r.ofName)).
		Complete(r)
}
