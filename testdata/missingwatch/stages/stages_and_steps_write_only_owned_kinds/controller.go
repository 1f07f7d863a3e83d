// Package fixture runs stored method values and stage objects; what they write is
// owned.
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

type stage interface {
	run(ctx context.Context, thing *thingapi.Thing) error
}

// ThingReconciler reconciles Things.
type ThingReconciler struct {
	client.Client
	Scheme *runtime.Scheme
	steps  []func(context.Context, *thingapi.Thing) error
	stages []stage
}

// NewThingReconciler returns a reconciler with all its steps and stages.
func NewThingReconciler(c client.Client, scheme *runtime.Scheme) *ThingReconciler {
	r := &ThingReconciler{Client: c, Scheme: scheme}
	r.steps = append(r.steps, r.reconcileDeployment)
	r.stages = []stage{&serviceStage{r}}
	return r
}

// Reconcile brings the cluster in line with a Thing.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	for _, step := range r.steps {
		if err := step(ctx, thing); err != nil {
			return ctrl.Result{}, err
		}
	}
	for _, s := range r.stages {
		if err := s.run(ctx, thing); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

func (r *ThingReconciler) reconcileDeployment(ctx context.Context, thing *thingapi.Thing) error {
	deployment := newDeployment(thing)
	if err := controllerutil.SetControllerReference(thing, deployment, r.Scheme); err != nil {
		return err
	}
	return client.IgnoreAlreadyExists(r.Create(ctx, deployment))
}

type serviceStage struct {
	r *ThingReconciler
}

func (s *serviceStage) run(ctx context.Context, thing *thingapi.Thing) error {
	service := newService(thing)
	if err := controllerutil.SetControllerReference(thing, service, s.r.Scheme); err != nil {
		return err
	}
	return client.IgnoreAlreadyExists(s.r.Create(ctx, service))
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

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&appsv1.Deployment{}).
		Owns(&corev1.Service{}).
		Complete(r)
}
