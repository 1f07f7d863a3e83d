// Package fixture builds its controller by hand, or keeps the one that Build
// returns.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

// ControllerNewWatchesEachOutput builds its controller by hand and watches
// Things, ConfigMaps and Secrets.
type ControllerNewWatchesEachOutput struct {
	client client.Client
	scheme *runtime.Scheme
}

func (r *ControllerNewWatchesEachOutput) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.client.Get(ctx, req.NamespacedName, thing); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	for _, obj := range []client.Object{newConfigMap(thing), newSecret(thing)} {
		if err := controllerutil.SetControllerReference(thing, obj, r.scheme); err != nil {
			return reconcile.Result{}, err
		}
		if err := client.IgnoreAlreadyExists(r.client.Create(ctx, obj)); err != nil {
			return reconcile.Result{}, err
		}
	}
	return reconcile.Result{}, nil
}

func newSecret(thing *thingapi.Thing) *corev1.Secret {
	return &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-credentials", Namespace: thing.Namespace},
		StringData: map[string]string{"user": thing.Name},
	}
}

// Add creates the controller and adds it to the manager.
func Add(mgr manager.Manager) error {
	r := &ControllerNewWatchesEachOutput{client: mgr.GetClient(), scheme: mgr.GetScheme()}
	c, err := controller.New("thing-controller", mgr, controller.Options{Reconciler: r})
	if err != nil {
		return err
	}
	err = c.Watch(source.Kind(mgr.GetCache(), &thingapi.Thing{}, &handler.TypedEnqueueRequestForObject[*thingapi.Thing]{}))
	if err != nil {
		return err
	}
	toOwner := handler.EnqueueRequestForOwner(
		mgr.GetScheme(), mgr.GetRESTMapper(), &thingapi.Thing{}, handler.OnlyControllerOwner())
	for _, kind := range []client.Object{&corev1.ConfigMap{}, &corev1.Secret{}} {
		if err := c.Watch(source.Kind(mgr.GetCache(), kind, toOwner)); err != nil {
			return err
		}
	}
	return nil
}

// WatchAddedToTheControllerAfterBuild keeps what Build returns and gives it one
// more watch.
type WatchAddedToTheControllerAfterBuild struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *WatchAddedToTheControllerAfterBuild) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	config := newConfigMap(thing)
	if err := controllerutil.SetControllerReference(thing, config, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, config))
}

func (r *WatchAddedToTheControllerAfterBuild) SetupWithManager(mgr ctrl.Manager) error {
	c, err := ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Build(r)
	if err != nil {
		return err
	}
	return c.Watch(source.Kind(mgr.GetCache(), &corev1.ConfigMap{},
		handler.TypedEnqueueRequestForOwner[*corev1.ConfigMap](mgr.GetScheme(), mgr.GetRESTMapper(), &thingapi.Thing{})))
}

// ControllerNewWithoutAWatchOfTheOutput builds its controller by hand: one
// watch for the Things, one for their Secrets, none for their ConfigMaps.
type ControllerNewWithoutAWatchOfTheOutput struct {
	client client.Client
	scheme *runtime.Scheme
}

func (r *ControllerNewWithoutAWatchOfTheOutput) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.client.Get(ctx, req.NamespacedName, thing); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	config := newConfigMap(thing)
	if err := controllerutil.SetControllerReference(thing, config, r.scheme); err != nil {
		return reconcile.Result{}, err
	}
	return reconcile.Result{}, client.IgnoreAlreadyExists(r.client.Create(ctx, config))
}

// AddUnwatched creates the controller and adds it to the manager.
func AddUnwatched(mgr manager.Manager) error {
	r := &ControllerNewWithoutAWatchOfTheOutput{client: mgr.GetClient(), scheme: mgr.GetScheme()}
	c, err := controller.New("thing-controller", mgr, controller.Options{Reconciler: r}) // want "missingwatch: .*ConfigMap"
	if err != nil {
		return err
	}
	err = c.Watch(source.Kind(mgr.GetCache(), &thingapi.Thing{}, &handler.TypedEnqueueRequestForObject[*thingapi.Thing]{}))
	if err != nil {
		return err
	}
	owner := handler.TypedEnqueueRequestForOwner[*corev1.Secret](
		mgr.GetScheme(), mgr.GetRESTMapper(), &thingapi.Thing{}, handler.OnlyControllerOwner())
	return c.Watch(source.Kind(mgr.GetCache(), &corev1.Secret{}, owner))
}

// ControllerFromBuildIsKept keeps the controller that Build returns, but never
// asks it to watch anything else.
type ControllerFromBuildIsKept struct {
	client.Client
	Scheme     *runtime.Scheme
	controller controller.Controller
}

func (r *ControllerFromBuildIsKept) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	deployment := newDeployment(thing)
	if err := controllerutil.SetControllerReference(thing, deployment, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	err := r.Update(ctx, deployment)
	if apierrors.IsNotFound(err) {
		err = r.Create(ctx, deployment)
	}
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

func (r *ControllerFromBuildIsKept) SetupWithManager(mgr ctrl.Manager) error {
	c, err := ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: 4}).
		Build(r) // want "missingwatch: .*Deployment"
	if err != nil {
		return err
	}
	r.controller = c
	return nil
}

func newConfigMap(thing *thingapi.Thing) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-config", Namespace: thing.Namespace},
		Data:       thing.Spec.Config,
	}
}
