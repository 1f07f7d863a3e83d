// Package fixture keeps its steps as method values.
package fixture

import (
	"context"
	"fmt"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// StepFunctionsInALocalSlice lists its steps in Reconcile itself, with names
// for the logs.
type StepFunctionsInALocalSlice struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *StepFunctionsInALocalSlice) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	steps := []struct {
		name string
		run  func(context.Context, *thingapi.Thing) error
	}{
		{"service", r.reconcileService},
		{"secret", r.reconcileSecret},
	}
	for _, step := range steps {
		if err := step.run(ctx, thing); err != nil {
			return ctrl.Result{}, fmt.Errorf("%s: %w", step.name, err)
		}
	}
	return ctrl.Result{}, nil
}

func (r *StepFunctionsInALocalSlice) reconcileService(ctx context.Context, thing *thingapi.Thing) error {
	return r.create(ctx, thing, newService(thing))
}

func (r *StepFunctionsInALocalSlice) reconcileSecret(ctx context.Context, thing *thingapi.Thing) error {
	return r.create(ctx, thing, newSecret(thing))
}

func (r *StepFunctionsInALocalSlice) create(ctx context.Context, thing *thingapi.Thing, obj client.Object) error {
	if err := controllerutil.SetControllerReference(thing, obj, r.Scheme); err != nil {
		return err
	}
	return client.IgnoreAlreadyExists(r.Create(ctx, obj))
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

func newSecret(thing *thingapi.Thing) *corev1.Secret {
	return &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-credentials", Namespace: thing.Namespace},
		StringData: map[string]string{"user": thing.Name},
	}
}

func (r *StepFunctionsInALocalSlice) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Service{}).
		Complete(r) // want "missingwatch: .*Secret"
}

type step func(ctx context.Context, thing *thingapi.Thing) error

// StepFunctionsStoredInAField keeps its steps as method values in a field and
// runs them one after the other.
type StepFunctionsStoredInAField struct {
	client.Client
	Scheme *runtime.Scheme
	steps  []step
}

// NewThingReconciler returns a reconciler with all its steps.
func NewThingReconciler(c client.Client, scheme *runtime.Scheme) *StepFunctionsStoredInAField {
	r := &StepFunctionsStoredInAField{Client: c, Scheme: scheme}
	r.steps = []step{r.reconcileAccount, r.reconcileDeployment}
	return r
}

func (r *StepFunctionsStoredInAField) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	for _, run := range r.steps {
		if err := run(ctx, thing); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

func (r *StepFunctionsStoredInAField) reconcileAccount(ctx context.Context, thing *thingapi.Thing) error {
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, account, func() error {
		return controllerutil.SetControllerReference(thing, account, r.Scheme)
	})
	return err
}

func (r *StepFunctionsStoredInAField) reconcileDeployment(ctx context.Context, thing *thingapi.Thing) error {
	deployment := newDeployment(thing)
	if err := controllerutil.SetControllerReference(thing, deployment, r.Scheme); err != nil {
		return err
	}
	return client.IgnoreAlreadyExists(r.Create(ctx, deployment))
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

func (r *StepFunctionsStoredInAField) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&appsv1.Deployment{}).
		Complete(r) // want "missingwatch: .*ServiceAccount"
}
