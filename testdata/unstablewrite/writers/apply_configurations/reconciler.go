// Package controller applies apply configurations.
package controller

import (
	"context"
	"slices"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	appsv1ac "k8s.io/client-go/applyconfigurations/apps/v1"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"
	networkingv1ac "k8s.io/client-go/applyconfigurations/networking/v1"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// ApplyConfigurationWithSortedEnv collects apply configurations from a map and
// sorts them before they go into the container.
type ApplyConfigurationWithSortedEnv struct {
	client.Client
}

func (r *ApplyConfigurationWithSortedEnv) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var env []*corev1ac.EnvVarApplyConfiguration
	for name, value := range thing.Spec.Config {
		env = append(env, corev1ac.EnvVar().WithName(name).WithValue(value))
	}
	slices.SortFunc(env, func(a, b *corev1ac.EnvVarApplyConfiguration) int { return strings.Compare(*a.Name, *b.Name) })
	container := corev1ac.Container().WithName("main").WithImage(thing.Spec.Image).WithEnv(env...)
	deploy := appsv1ac.Deployment(thing.Name, thing.Namespace).
		WithLabels(thing.Spec.Labels).
		WithSpec(appsv1ac.DeploymentSpec().
			WithTemplate(corev1ac.PodTemplateSpec().
				WithSpec(corev1ac.PodSpec().WithContainers(container))))
	return ctrl.Result{}, r.Apply(ctx, deploy, client.FieldOwner("thing"))
}

// ApplyConfigurationWithEnvFromAMap applies a Deployment by an apply
// configuration; the env list is ordered under server-side apply as well.
type ApplyConfigurationWithEnvFromAMap struct {
	client.Client
}

func (r *ApplyConfigurationWithEnvFromAMap) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	container := corev1ac.Container().WithName("main").WithImage(thing.Spec.Image)
	for name, value := range thing.Spec.Config { // want "unstablewrite: map order .*Deployment"
		container.WithEnv(corev1ac.EnvVar().WithName(name).WithValue(value))
	}
	labels := map[string]string{"app": thing.Name}
	deploy := appsv1ac.Deployment(thing.Name, thing.Namespace).
		WithSpec(appsv1ac.DeploymentSpec().
			WithTemplate(corev1ac.PodTemplateSpec().
				WithLabels(labels).
				WithSpec(corev1ac.PodSpec().WithContainers(container))))
	return ctrl.Result{}, r.Apply(ctx, deploy, client.FieldOwner("thing"), client.ForceOwnership)
}

// StatusAppliedByTheClient applies a status by an apply configuration, with
// endpoints in map order.
type StatusAppliedByTheClient struct {
	client.Client
}

func (r *StatusAppliedByTheClient) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	status := corev1ac.ServiceStatus()
	lb := corev1ac.LoadBalancerStatus()
	for _, ip := range thing.Spec.Config { // want "unstablewrite: map order .*Service"
		lb.WithIngress(corev1ac.LoadBalancerIngress().WithIP(ip))
	}
	service := corev1ac.Service(thing.Name, thing.Namespace).WithStatus(status.WithLoadBalancer(lb))
	return ctrl.Result{}, r.Status().Apply(ctx, service, client.FieldOwner("thing"), client.ForceOwnership)
}

// IngressStatusAppliedByTheClientset publishes addresses collected in a set
// through the typed clientset's ApplyStatus.
type IngressStatusAppliedByTheClientset struct {
	client.Client
	Clientset kubernetes.Interface
}

func (r *IngressStatusAppliedByTheClientset) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var nodes corev1.NodeList
	if err := r.List(ctx, &nodes); err != nil {
		return ctrl.Result{}, err
	}
	addresses := map[string]bool{}
	for _, node := range nodes.Items {
		for _, a := range node.Status.Addresses {
			addresses[a.Address] = true
		}
	}
	lb := networkingv1ac.IngressLoadBalancerStatus()
	for address := range addresses { // want "unstablewrite: map order .*Ingress"
		lb.WithIngress(networkingv1ac.IngressLoadBalancerIngress().WithIP(address))
	}
	ingress := networkingv1ac.Ingress(req.Name, req.Namespace).
		WithStatus(networkingv1ac.IngressStatus().WithLoadBalancer(lb))
	_, err := r.Clientset.NetworkingV1().Ingresses(req.Namespace).
		ApplyStatus(ctx, ingress, metav1.ApplyOptions{FieldManager: "thing", Force: true})
	return ctrl.Result{}, err
}
