// Package fixture calls the builder statement by statement.
package fixture

import (
	"context"

	"github.com/go-logr/logr"
	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

// BuilderCalledAsStatements drops what the builder's methods return: they
// change the builder itself.
type BuilderCalledAsStatements struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *BuilderCalledAsStatements) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	deployment := newDeployment(thing)
	if err := controllerutil.SetControllerReference(thing, deployment, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, deployment))
}

func (r *BuilderCalledAsStatements) SetupWithManager(mgr ctrl.Manager) error {
	b := ctrl.NewControllerManagedBy(mgr)
	b.Named("thing")
	b.For(&thingapi.Thing{})
	b.Owns(&appsv1.Deployment{})
	return b.Complete(r)
}

// BuilderStatementsLeaveOneKindOut calls the builder statement by statement,
// some of it under a condition; the Ingress is in none of the branches.
type BuilderStatementsLeaveOneKindOut struct {
	client.Client
	Scheme  *runtime.Scheme
	Scaling bool
}

func (r *BuilderStatementsLeaveOneKindOut) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := r.create(ctx, thing, newDeployment(thing)); err != nil {
		return ctrl.Result{}, err
	}
	ingress := &networkingv1.Ingress{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	for _, host := range thing.Spec.Hosts {
		ingress.Spec.Rules = append(ingress.Spec.Rules, networkingv1.IngressRule{Host: host})
	}
	return ctrl.Result{}, r.create(ctx, thing, ingress)
}

func (r *BuilderStatementsLeaveOneKindOut) create(ctx context.Context, thing *thingapi.Thing, obj client.Object) error {
	if err := controllerutil.SetControllerReference(thing, obj, r.Scheme); err != nil {
		return err
	}
	return client.IgnoreAlreadyExists(r.Create(ctx, obj))
}

func (r *BuilderStatementsLeaveOneKindOut) SetupWithManager(mgr ctrl.Manager) error {
	b := ctrl.NewControllerManagedBy(mgr)
	b.For(&thingapi.Thing{})
	b.Owns(&appsv1.Deployment{})
	if r.Scaling {
		b.Owns(&autoscalingv2.HorizontalPodAutoscaler{})
	}
	return b.Complete(r) // want "missingwatch: .*Ingress"
}

// BuilderGetsALoggerBeforeItIsCompleted gives its builders a logger as the last
// step but one. What was said to them before still holds.
type BuilderGetsALoggerBeforeItIsCompleted struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *BuilderGetsALoggerBeforeItIsCompleted) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	return reconcile.Result{}, create(ctx, r.Client, r.Scheme, thing)
}

func (r *BuilderGetsALoggerBeforeItIsCompleted) SetupWithManager(mgr ctrl.Manager) error {
	return builder.TypedControllerManagedBy[reconcile.Request](mgr).
		Named("thing").
		WatchesRawSource(source.TypedKind(mgr.GetCache(), &thingapi.Thing{}, &handler.TypedEnqueueRequestForObject[*thingapi.Thing]{})).
		WatchesRawSource(source.TypedKind(mgr.GetCache(), &corev1.ConfigMap{}, handler.TypedEnqueueRequestsFromMapFunc(thingOf))).
		WithLogConstructor(loggerOf).
		Complete(r)
}

func thingOf(_ context.Context, config *corev1.ConfigMap) []reconcile.Request {
	return []reconcile.Request{{NamespacedName: client.ObjectKeyFromObject(config)}}
}

func loggerOf(*reconcile.Request) logr.Logger { return logr.Discard() }

// ForgetfulReconciler reconciles Things, too, and watches nothing else.
type ForgetfulReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *ForgetfulReconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	return reconcile.Result{}, create(ctx, r.Client, r.Scheme, thing)
}

func (r *ForgetfulReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		WithLogConstructor(loggerOf).
		Complete(r) // want "missingwatch: Reconcile creates corev1.ConfigMap .* does not watch it"
}

func create(ctx context.Context, c client.Client, scheme *runtime.Scheme, thing *thingapi.Thing) error {
	config := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace},
		Data:       map[string]string{"size": "1"},
	}
	if err := controllerutil.SetControllerReference(thing, config, scheme); err != nil {
		return err
	}
	return client.IgnoreAlreadyExists(c.Create(ctx, config))
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
