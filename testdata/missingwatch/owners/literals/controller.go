// Package fixture writes owner references out.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// LiteralControllerReferenceWakesOwns makes controller references by hand, in
// three ways.
type LiteralControllerReferenceWakesOwns struct {
	client.Client
	Scheme *runtime.Scheme
}

var thingKind = thingapi.GroupVersion.WithKind("Thing")

func controllerRef(thing *thingapi.Thing) metav1.OwnerReference {
	isController := true
	return metav1.OwnerReference{
		APIVersion: thingKind.GroupVersion().String(),
		Kind:       thingKind.Kind,
		Name:       thing.Name,
		UID:        thing.UID,
		Controller: &isController,
	}
}

func (r *LiteralControllerReferenceWakesOwns) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	config := newConfigMap(thing)
	config.OwnerReferences = append(config.OwnerReferences, controllerRef(thing))
	if err := client.IgnoreAlreadyExists(r.Create(ctx, config)); err != nil {
		return ctrl.Result{}, err
	}
	secret := newSecret(thing)
	secret.SetOwnerReferences([]metav1.OwnerReference{*metav1.NewControllerRef(thing, thingKind)})
	if err := client.IgnoreAlreadyExists(r.Create(ctx, secret)); err != nil {
		return ctrl.Result{}, err
	}
	service := newService(thing)
	service.OwnerReferences = []metav1.OwnerReference{{
		APIVersion: thingapi.GroupVersion.String(),
		Kind:       "Thing",
		Name:       thing.Name,
		UID:        thing.UID,
		Controller: ptr.To(true),
	}}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, service))
}

func newConfigMap(thing *thingapi.Thing) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-config", Namespace: thing.Namespace},
		Data:       thing.Spec.Config,
	}
}

func newSecret(thing *thingapi.Thing) *corev1.Secret {
	return &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-credentials", Namespace: thing.Namespace},
		StringData: map[string]string{"user": thing.Name},
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

func (r *LiteralControllerReferenceWakesOwns) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}).
		Owns(&corev1.Secret{}).
		Owns(&corev1.Service{}).
		Complete(r)
}

// LiteralOwnerReferenceWithControllerFalse says in the literal that the Thing
// is not the controller.
type LiteralOwnerReferenceWithControllerFalse struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *LiteralOwnerReferenceWithControllerFalse) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	claim := &corev1.PersistentVolumeClaim{
		ObjectMeta: metav1.ObjectMeta{
			Name:      thing.Name + "-data",
			Namespace: thing.Namespace,
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion:         thingapi.GroupVersion.String(),
				Kind:               "Thing",
				Name:               thing.Name,
				UID:                thing.UID,
				Controller:         ptr.To(false),
				BlockOwnerDeletion: ptr.To(true),
			}},
		},
		Spec: corev1.PersistentVolumeClaimSpec{AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}},
	}
	err := r.Create(ctx, claim) // want "missingwatch: .*PersistentVolumeClaim.*controller reference"
	return ctrl.Result{}, client.IgnoreAlreadyExists(err)
}

func (r *LiteralOwnerReferenceWithControllerFalse) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.PersistentVolumeClaim{}).
		Complete(r)
}

// LiteralOwnerReferenceWithoutController writes the owner reference out and
// forgets the Controller field.
type LiteralOwnerReferenceWithoutController struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *LiteralOwnerReferenceWithoutController) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	deployment := newDeployment(thing)
	deployment.OwnerReferences = []metav1.OwnerReference{{
		APIVersion: thingapi.GroupVersion.String(),
		Kind:       "Thing",
		Name:       thing.Name,
		UID:        thing.UID,
	}}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, deployment)) // want "missingwatch: .*Deployment.*controller reference"
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

func (r *LiteralOwnerReferenceWithoutController) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&appsv1.Deployment{}).
		Complete(r)
}
