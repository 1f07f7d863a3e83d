// Package fixture drops the updates that do not change a generation, of kinds
// that have one and of others.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// IngressAndJobHaveAGeneration owns kinds that have a generation.
type IngressAndJobHaveAGeneration struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *IngressAndJobHaveAGeneration) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	ingress := &networkingv1.Ingress{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, ingress, func() error {
		ingress.Spec.IngressClassName = &thing.Spec.TargetRef
		return controllerutil.SetControllerReference(thing, ingress, r.Scheme)
	})
	return ctrl.Result{}, err
}

func (r *IngressAndJobHaveAGeneration) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Owns(&networkingv1.Ingress{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Owns(&policyv1.PodDisruptionBudget{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Owns(&batchv1.CronJob{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Complete(r)
}

// CustomResourceHasAGeneration owns Parts, custom resources, and reads nothing
// of their status.
type CustomResourceHasAGeneration struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *CustomResourceHasAGeneration) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	part := &thingapi.Part{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, part, func() error {
		part.Spec.Settings = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, part, r.Scheme)
	})
	return ctrl.Result{}, err
}

func (r *CustomResourceHasAGeneration) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Owns(&thingapi.Part{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Complete(r)
}

// UnstructuredObjectBehindTheGeneration owns a kind of which it has no Go type.
type UnstructuredObjectBehindTheGeneration struct {
	client.Client
	Scheme *runtime.Scheme
}

var widget = schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"}

func (r *UnstructuredObjectBehindTheGeneration) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	obj := &unstructured.Unstructured{}
	obj.SetGroupVersionKind(widget)
	if err := r.Get(ctx, req.NamespacedName, obj); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing.Status.Phase, _, _ = unstructured.NestedString(obj.Object, "status", "phase")
	return ctrl.Result{}, r.Status().Update(ctx, thing)
}

func (r *UnstructuredObjectBehindTheGeneration) SetupWithManager(mgr ctrl.Manager) error {
	obj := &unstructured.Unstructured{}
	obj.SetGroupVersionKind(widget)
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(obj, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Complete(r)
}

// GenerationPredicateOnAnOwnedConfigmap drops the updates of its ConfigMap that
// do not change a generation, which a ConfigMap has not.
type GenerationPredicateOnAnOwnedConfigmap struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *GenerationPredicateOnAnOwnedConfigmap) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	configMap := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, configMap, func() error {
		configMap.Data = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, configMap, r.Scheme)
	})
	return ctrl.Result{}, err
}

func (r *GenerationPredicateOnAnOwnedConfigmap) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})). // want "blindpredicate: .*hides edits of corev1.ConfigMap.*10 hours by default"
		Complete(r)
}

// ServiceAccountBehindTheGeneration owns a service account.
type ServiceAccountBehindTheGeneration struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *ServiceAccountBehindTheGeneration) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	serviceAccount := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, serviceAccount, func() error {
		serviceAccount.ImagePullSecrets = []corev1.LocalObjectReference{{Name: thing.Spec.SecretRef}}
		return controllerutil.SetControllerReference(thing, serviceAccount, r.Scheme)
	})
	return ctrl.Result{}, err
}

func (r *ServiceAccountBehindTheGeneration) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Owns(&corev1.ServiceAccount{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})). // want "blindpredicate: .*edits of corev1.ServiceAccount"
		Complete(r)
}

// ServiceHasASpecAndNoGeneration owns a Service, which has a spec but no
// generation.
type ServiceHasASpecAndNoGeneration struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *ServiceHasASpecAndNoGeneration) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	service := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, service, func() error {
		service.Spec.Ports = []corev1.ServicePort{{Port: thing.Spec.Port}}
		return controllerutil.SetControllerReference(thing, service, r.Scheme)
	})
	return ctrl.Result{}, err
}

func (r *ServiceHasASpecAndNoGeneration) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Owns(&corev1.Service{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})). // want "blindpredicate: .*edits of corev1.Service"
		Complete(r)
}

// AutoscalerBehindTheGeneration owns an autoscaler.
type AutoscalerBehindTheGeneration struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *AutoscalerBehindTheGeneration) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	horizontalPodAutoscaler := &autoscalingv2.HorizontalPodAutoscaler{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, horizontalPodAutoscaler, func() error {
		horizontalPodAutoscaler.Spec.MinReplicas = thing.Spec.Replicas
		return controllerutil.SetControllerReference(thing, horizontalPodAutoscaler, r.Scheme)
	})
	return ctrl.Result{}, err
}

func (r *AutoscalerBehindTheGeneration) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Owns(&autoscalingv2.HorizontalPodAutoscaler{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})). // want "blindpredicate: .*edits of autoscalingv2.HorizontalPodAutoscaler"
		Complete(r)
}
