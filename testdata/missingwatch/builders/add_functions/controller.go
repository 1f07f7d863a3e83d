// Package fixture follows an old scaffold: a function takes any reconciler and
// builds the controller.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

// Add creates the Thing controller and adds it to the manager.
func Add(mgr manager.Manager) error {
	return add(mgr, newReconciler(mgr))
}

func newReconciler(mgr manager.Manager) reconcile.Reconciler {
	return &AnyReconcilerIsHandedToAnAddFunctionThatWatches{client: mgr.GetClient(), scheme: mgr.GetScheme()}
}

func add(mgr manager.Manager, r reconcile.Reconciler) error {
	c, err := controller.New("thing-controller", mgr, controller.Options{Reconciler: r})
	if err != nil {
		return err
	}
	err = c.Watch(source.Kind[client.Object](mgr.GetCache(), &thingapi.Thing{}, &handler.EnqueueRequestForObject{}))
	if err != nil {
		return err
	}
	return c.Watch(source.Kind[client.Object](mgr.GetCache(), &corev1.Pod{},
		handler.EnqueueRequestForOwner(mgr.GetScheme(), mgr.GetRESTMapper(), &thingapi.Thing{}, handler.OnlyControllerOwner())))
}

// AnyReconcilerIsHandedToAnAddFunctionThatWatches follows an old scaffold, and
// its add function watches what the reconciler creates.
//
// It reconciles Things.
type AnyReconcilerIsHandedToAnAddFunctionThatWatches struct {
	client client.Client
	scheme *runtime.Scheme
}

func (r *AnyReconcilerIsHandedToAnAddFunctionThatWatches) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	instance := &thingapi.Thing{}
	if err := r.client.Get(ctx, request.NamespacedName, instance); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: instance.Name + "-pod", Namespace: instance.Namespace},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "thing", Image: instance.Spec.Image}}},
	}
	if err := controllerutil.SetControllerReference(instance, pod, r.scheme); err != nil {
		return reconcile.Result{}, err
	}
	return reconcile.Result{}, client.IgnoreAlreadyExists(r.client.Create(ctx, pod))
}

// AddUnwatched creates the Thing controller and adds it to the manager.
func AddUnwatched(mgr manager.Manager) error {
	return addUnwatched(mgr, newUnwatchedReconciler(mgr))
}

func newUnwatchedReconciler(mgr manager.Manager) reconcile.Reconciler {
	return &AnyReconcilerIsHandedToAnAddFunction{client: mgr.GetClient(), scheme: mgr.GetScheme()}
}

func addUnwatched(mgr manager.Manager, r reconcile.Reconciler) error {
	c, err := controller.New("thing-controller", mgr, controller.Options{Reconciler: r}) // want "missingwatch: .*Deployment"
	if err != nil {
		return err
	}
	return c.Watch(source.Kind[client.Object](mgr.GetCache(), &thingapi.Thing{}, &handler.EnqueueRequestForObject{}))
}

var _ reconcile.Reconciler = &AnyReconcilerIsHandedToAnAddFunction{}

// AnyReconcilerIsHandedToAnAddFunction follows an old scaffold: a constructor
// returns the reconciler as an interface, and a function takes any reconciler
// and builds the controller.
//
// It reconciles Things.
type AnyReconcilerIsHandedToAnAddFunction struct {
	client client.Client
	scheme *runtime.Scheme
}

func (r *AnyReconcilerIsHandedToAnAddFunction) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	instance := &thingapi.Thing{}
	if err := r.client.Get(ctx, request.NamespacedName, instance); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	deployment := newDeployment(instance)
	if err := controllerutil.SetControllerReference(instance, deployment, r.scheme); err != nil {
		return reconcile.Result{}, err
	}
	found := &appsv1.Deployment{}
	err := r.client.Get(ctx, client.ObjectKeyFromObject(deployment), found)
	if apierrors.IsNotFound(err) {
		err = r.client.Create(ctx, deployment)
	}
	return reconcile.Result{}, err
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
