// Package fixture owns a list of kinds, which a function returns, in a loop.
package fixture

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
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

func (r *ThingReconciler) owned() []client.Object {
	return []client.Object{
		&corev1.Service{},
		&corev1.ConfigMap{},
		&appsv1.Deployment{},
	}
}

// Reconcile brings the cluster in line with a Thing.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	for _, obj := range []client.Object{newService(thing), newConfigMap(thing), newDeployment(thing)} {
		if err := controllerutil.SetControllerReference(thing, obj, r.Scheme); err != nil {
			return ctrl.Result{}, err
		}
		if err := client.IgnoreAlreadyExists(r.Create(ctx, obj)); err != nil {
			return ctrl.Result{}, err
		}
	}
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

func newConfigMap(thing *thingapi.Thing) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-config", Namespace: thing.Namespace},
		Data:       thing.Spec.Config,
	}
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

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	b := ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{})
	for _, obj := range r.owned() {
		b = b.Owns(obj)
	}
	return b.Complete(r)
}
