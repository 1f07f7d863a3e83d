// Package fixture writes by CreateOrUpdate, CreateOrPatch, and in retries.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/util/retry"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// ServiceInCreateOrUpdateIsNotOwned keeps a Deployment and a Service with
// CreateOrUpdate, and owns only the Deployment.
type ServiceInCreateOrUpdateIsNotOwned struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *ServiceInCreateOrUpdateIsNotOwned) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := r.reconcileDeployment(ctx, thing); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.reconcileService(ctx, thing)
}

func (r *ServiceInCreateOrUpdateIsNotOwned) reconcileDeployment(ctx context.Context, thing *thingapi.Thing) error {
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, deployment, func() error {
		labels := map[string]string{"thing": thing.Name}
		deployment.Spec.Replicas = thing.Spec.Replicas
		deployment.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
		deployment.Spec.Template.Labels = labels
		deployment.Spec.Template.Spec.Containers = []corev1.Container{{Name: "thing", Image: thing.Spec.Image}}
		return controllerutil.SetControllerReference(thing, deployment, r.Scheme)
	})
	return err
}

func (r *ServiceInCreateOrUpdateIsNotOwned) reconcileService(ctx context.Context, thing *thingapi.Thing) error {
	service := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, service, func() error {
		service.Spec.Selector = map[string]string{"thing": thing.Name}
		service.Spec.Ports = []corev1.ServicePort{{Name: "http", Port: thing.Spec.Port}}
		return controllerutil.SetControllerReference(thing, service, r.Scheme)
	})
	return err
}

func (r *ServiceInCreateOrUpdateIsNotOwned) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&appsv1.Deployment{}).
		Complete(r) // want "missingwatch: .*Service"
}

// SecretWrittenByCreateOrPatchIsNotOwned writes a Secret through the aliases in
// the root package of controller-runtime, which are variables that hold
// functions.
type SecretWrittenByCreateOrPatchIsNotOwned struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *SecretWrittenByCreateOrPatchIsNotOwned) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	secret := &corev1.Secret{}
	secret.Name, secret.Namespace = thing.Name+"-connection", thing.Namespace
	_, err := ctrl.CreateOrPatch(ctx, r.Client, secret, func() error {
		secret.Data = map[string][]byte{"host": []byte(thing.Name + "." + thing.Namespace)}
		return ctrl.SetControllerReference(thing, secret, r.Scheme)
	})
	return ctrl.Result{}, err
}

func (r *SecretWrittenByCreateOrPatchIsNotOwned) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}).
		Complete(r) // want "missingwatch: .*Secret"
}

// RetriedUpdateOfAnOutputThatIsNotOwned creates its Deployment, and updates it
// in a closure that the library retries on conflicts.
type RetriedUpdateOfAnOutputThatIsNotOwned struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *RetriedUpdateOfAnOutputThatIsNotOwned) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	want := newDeployment(thing)
	if err := controllerutil.SetControllerReference(thing, want, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	err := r.Create(ctx, want.DeepCopy())
	if !apierrors.IsAlreadyExists(err) {
		return ctrl.Result{}, err
	}
	err = retry.RetryOnConflict(retry.DefaultRetry, func() error {
		have := &appsv1.Deployment{}
		if err := r.Get(ctx, client.ObjectKeyFromObject(want), have); err != nil {
			return err
		}
		have.Spec.Replicas = want.Spec.Replicas
		have.Spec.Template = want.Spec.Template
		return r.Update(ctx, have)
	})
	return ctrl.Result{}, err
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

func (r *RetriedUpdateOfAnOutputThatIsNotOwned) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Service{}).
		Complete(r) // want "missingwatch: .*Deployment"
}
