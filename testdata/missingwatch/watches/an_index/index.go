// Package fixture watches Secrets that Things name, which an index knows.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const (
	secretField = ".spec.secretRef"
	ownerField  = ".metadata.controller"
)

// addIndexes adds the indexes of Things and of Pods.
func addIndexes(ctx context.Context, mgr ctrl.Manager) error {
	err := mgr.GetFieldIndexer().IndexField(ctx, &thingapi.Thing{}, secretField, func(obj client.Object) []string {
		thing := obj.(*thingapi.Thing)
		if thing.Spec.SecretRef == "" {
			return nil
		}
		return []string{thing.Spec.SecretRef}
	})
	if err != nil {
		return err
	}
	return mgr.GetFieldIndexer().IndexField(ctx, &corev1.Pod{}, ownerField, func(obj client.Object) []string {
		owner := metav1.GetControllerOf(obj)
		if owner == nil {
			return nil
		}
		return []string{owner.Name}
	})
}

// naming returns a request for each Thing that names the Secret.
func naming(c client.Client) handler.MapFunc {
	return func(ctx context.Context, secret client.Object) []reconcile.Request {
		var things thingapi.ThingList
		if err := c.List(ctx, &things, client.InNamespace(secret.GetNamespace()), client.MatchingFields{secretField: secret.GetName()}); err != nil {
			return nil
		}
		requests := make([]reconcile.Request, 0, len(things.Items))
		for i := range things.Items {
			requests = append(requests, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&things.Items[i])})
		}
		return requests
	}
}

// Unseen writes a Secret of its own, which no Thing names.
type Unseen struct{ client.Client }

func (r *Unseen) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-config", Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, secret, func() error {
		secret.StringData = map[string]string{"color": "blue"}
		return nil
	})
	return ctrl.Result{}, err
}

func (r *Unseen) SetupWithManager(ctx context.Context, mgr ctrl.Manager) error {
	if err := addIndexes(ctx, mgr); err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(naming(r.Client))).
		Complete(r) // want "missingwatch: Reconcile writes corev1.Secret .* but the watches of its kind select only objects with a name that a spec has"
}

// Named writes the Secret that the Thing names.
type Named struct{ client.Client }

func (r *Named) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	name := thing.Spec.SecretRef
	if name == "" {
		name = thing.Name
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, secret, func() error {
		secret.StringData = map[string]string{"color": "blue"}
		return nil
	})
	return ctrl.Result{}, err
}

func (r *Named) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(naming(r.Client))).
		Complete(r)
}

// OfThePods looks Things up by the Pods that they control: an index of names in metadata.
type OfThePods struct{ client.Client }

func (r *OfThePods) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, secret, func() error {
		secret.StringData = map[string]string{"color": "blue"}
		return nil
	})
	return ctrl.Result{}, err
}

// controlling returns a request for each Pod that the object of the Secret's name controls.
func (r *OfThePods) controlling(ctx context.Context, secret client.Object) []reconcile.Request {
	var pods corev1.PodList
	opts := &client.ListOptions{Namespace: secret.GetNamespace(), FieldSelector: fields.OneTermEqualSelector(ownerField, secret.GetName())}
	if err := r.List(ctx, &pods, opts); err != nil {
		return nil
	}
	var requests []reconcile.Request
	for _, pod := range pods.Items {
		requests = append(requests, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&pod)})
	}
	return requests
}

func (r *OfThePods) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(r.controlling)).
		Complete(r)
}
