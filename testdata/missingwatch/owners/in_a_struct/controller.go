// Package fixture writes owner references out for an owner that is in a struct.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// A scope has what one reconcile is about.
type scope struct {
	client.Client
	thing *thingapi.Thing
}

// ReferenceToTheThingOfAScope makes the Thing of the scope the controller.
type ReferenceToTheThingOfAScope struct{ client.Client }

func (r *ReferenceToTheThingOfAScope) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	s := &scope{Client: r.Client, thing: &thingapi.Thing{}}
	if err := r.Get(ctx, req.NamespacedName, s.thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, s.createConfigMap(ctx)
}

func (s *scope) createConfigMap(ctx context.Context) error {
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: s.thing.Name, Namespace: s.thing.Namespace}}
	addReference(cm, reference(s.thing))
	return client.IgnoreAlreadyExists(s.Create(ctx, cm))
}

func (r *ReferenceToTheThingOfAScope) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Owns(&corev1.ConfigMap{}).Complete(r)
}

// ReferenceToThePartOfAScope makes a Part the controller, which the builder does not
// follow.
type ReferenceToThePartOfAScope struct{ client.Client }

// A partScope has the Part beside the Thing.
type partScope struct {
	scope
	part *thingapi.Part
}

func (r *ReferenceToThePartOfAScope) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	s := &partScope{scope{r.Client, &thingapi.Thing{}}, &thingapi.Part{}}
	if err := r.Get(ctx, req.NamespacedName, s.thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := r.Get(ctx, req.NamespacedName, s.part); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, s.createSecret(ctx)
}

func (s *partScope) createSecret(ctx context.Context) error {
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: s.thing.Name, Namespace: s.thing.Namespace}}
	addReference(secret, reference(s.part))
	return client.IgnoreAlreadyExists(s.Create(ctx, secret)) // want "missingwatch: corev1.Secret is watched by Owns"
}

func (r *ReferenceToThePartOfAScope) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Owns(&corev1.Secret{}).Complete(r)
}

func reference(owner client.Object) metav1.OwnerReference {
	controller := true
	return metav1.OwnerReference{APIVersion: "example.com/v1", Kind: owner.GetObjectKind().GroupVersionKind().Kind, Name: owner.GetName(), UID: owner.GetUID(), Controller: &controller}
}

func addReference(object metav1.Object, ref metav1.OwnerReference) {
	object.SetOwnerReferences(append(object.GetOwnerReferences(), ref))
}
