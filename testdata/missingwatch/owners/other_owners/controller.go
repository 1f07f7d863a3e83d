// Package fixture has other objects, or nobody, for the controller of what it
// writes.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// OwnerReferenceAddedForGarbageCollectionOnly adds an owner reference to a
// Secret that the user made, so that it goes with the Thing. It does not manage
// what is in it.
type OwnerReferenceAddedForGarbageCollectionOnly struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *OwnerReferenceAddedForGarbageCollectionOnly) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	secret := &corev1.Secret{}
	if err := r.Get(ctx, client.ObjectKey{Namespace: thing.Namespace, Name: thing.Spec.SecretRef}, secret); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	before := secret.DeepCopy()
	if err := controllerutil.SetOwnerReference(thing, secret, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.Patch(ctx, secret, client.MergeFrom(before))
}

func (r *OwnerReferenceAddedForGarbageCollectionOnly) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}

// ControllerReferenceToAnotherObject makes the Deployment, not the Thing, the
// controller of the Service. Owns looks for Things and finds none.
type ControllerReferenceToAnotherObject struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *ControllerReferenceToAnotherObject) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	deployment := newDeployment(thing)
	if err := controllerutil.SetControllerReference(thing, deployment, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	if err := client.IgnoreAlreadyExists(r.Create(ctx, deployment)); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.Get(ctx, client.ObjectKeyFromObject(deployment), deployment); err != nil {
		return ctrl.Result{}, err
	}
	service := newService(thing)
	if err := controllerutil.SetControllerReference(deployment, service, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	err := r.Create(ctx, service) // want "missingwatch: .*Service.*controller reference"
	return ctrl.Result{}, client.IgnoreAlreadyExists(err)
}

func newDeployment(thing *thingapi.Thing) *appsv1.Deployment {
	labels := map[string]string{"thing": thing.Name}
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace},
		Spec: appsv1.DeploymentSpec{
			Replicas: thing.Spec.Replicas,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "thing", Image: thing.Spec.Image}}},
			},
		},
	}
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

func (r *ControllerReferenceToAnotherObject) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&appsv1.Deployment{}).
		Owns(&corev1.Service{}).
		Complete(r)
}

// OwnershipIsHandedOnToAnotherObject makes a template that belongs to the Thing
// only until the Part which uses it exists: from then on it is the Part's.
type OwnershipIsHandedOnToAnotherObject struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *OwnershipIsHandedOnToAnotherObject) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

func (r *OwnershipIsHandedOnToAnotherObject) createTemplate(ctx context.Context, thing *thingapi.Thing) error {
	template := &corev1.PodTemplate{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	if err := controllerutil.SetControllerReference(thing, template, r.Scheme); err != nil {
		return err
	}
	return r.Create(ctx, template)
}

func (r *OwnershipIsHandedOnToAnotherObject) handOn(ctx context.Context, thing *thingapi.Thing, part *thingapi.Part) error {
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

func (r *OwnershipIsHandedOnToAnotherObject) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&thingapi.Part{}).
		Complete(r)
}

// KeepingReconciler makes the template of a Thing, and takes it back if need be.
type KeepingReconciler struct {
	OwnershipIsHandedOnToAnotherObject
}

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

func (r *KeepingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: Reconcile creates corev1.PodTemplate .* does not watch it"
}
