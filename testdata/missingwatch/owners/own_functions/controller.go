// Package fixture sets owner references by functions of its own.
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

// OwnFunctionSetsTheControllerReference calls a function with a modest name,
// which does set a controller reference, behind an interface of the metadata
// only.
type OwnFunctionSetsTheControllerReference struct {
	client.Client
	Scheme *runtime.Scheme
}

func link(child metav1.Object, parent *thingapi.Thing) {
	if metav1.IsControlledBy(child, parent) {
		return
	}
	ref := metav1.NewControllerRef(parent, thingapi.GroupVersion.WithKind("Thing"))
	child.SetOwnerReferences(append(child.GetOwnerReferences(), *ref))
}

func (r *OwnFunctionSetsTheControllerReference) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	deployment := newDeployment(thing)
	link(deployment, thing)
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, deployment))
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

func (r *OwnFunctionSetsTheControllerReference) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&appsv1.Deployment{}).
		Complete(r)
}

// FunctionNamedAfterTheControllerSetsAPlainOwner calls a function whose name
// promises a controller reference. Only what it does counts.
type FunctionNamedAfterTheControllerSetsAPlainOwner struct {
	client.Client
	Scheme *runtime.Scheme
}

// setController ties obj to the life of the thing.
func (r *FunctionNamedAfterTheControllerSetsAPlainOwner) setController(thing *thingapi.Thing, obj client.Object) error {
	refs := append(obj.GetOwnerReferences(), metav1.OwnerReference{
		APIVersion:         thingapi.GroupVersion.String(),
		Kind:               "Thing",
		Name:               thing.GetName(),
		UID:                thing.GetUID(),
		BlockOwnerDeletion: ptr.To(true),
	})
	obj.SetOwnerReferences(refs)
	return nil
}

func (r *FunctionNamedAfterTheControllerSetsAPlainOwner) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	config := newConfigMap(thing)
	if err := r.setController(thing, config); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, config)) // want "missingwatch: .*ConfigMap.*controller reference"
}

func newConfigMap(thing *thingapi.Thing) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-config", Namespace: thing.Namespace},
		Data:       thing.Spec.Config,
	}
}

func (r *FunctionNamedAfterTheControllerSetsAPlainOwner) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}).
		Complete(r)
}
