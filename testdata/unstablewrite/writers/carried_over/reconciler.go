// Package controller carries values over into the object that it writes.
package controller

import (
	"context"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/client-go/util/retry"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// DesiredSpecCopiedDeeplyIntoTheLiveObject takes the desired spec over by deep
// copies.
type DesiredSpecCopiedDeeplyIntoTheLiveObject struct {
	client.Client
}

func (r *DesiredSpecCopiedDeeplyIntoTheLiveObject) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	live := &networkingv1.NetworkPolicy{}
	if err := r.Get(ctx, req.NamespacedName, live); err != nil {
		return ctrl.Result{}, err
	}
	updated := live.DeepCopy()
	desired(&thing).Spec.DeepCopyInto(&updated.Spec)
	return ctrl.Result{}, r.Patch(ctx, updated, client.MergeFrom(live))
}

func desired(thing *thingapi.Thing) *networkingv1.NetworkPolicy {
	policy := &networkingv1.NetworkPolicy{}
	for _, cidr := range thing.Spec.Config { // want "unstablewrite: map order .*NetworkPolicy"
		peer := networkingv1.NetworkPolicyPeer{IPBlock: &networkingv1.IPBlock{CIDR: cidr}}
		policy.Spec.Ingress = append(policy.Spec.Ingress, networkingv1.NetworkPolicyIngressRule{
			From: []networkingv1.NetworkPolicyPeer{peer},
		})
	}
	return policy
}

// StatusCarriedIntoTheLatestVersion computes a status and carries it into the
// latest version of the object, again on each conflict.
type StatusCarriedIntoTheLatestVersion struct {
	client.Client
}

func (r *StatusCarriedIntoTheLatestVersion) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	status := thingapi.ThingStatus{Phase: "Ready", ObservedGeneration: thing.Generation}
	for name := range thing.Spec.Config { // want "unstablewrite: map order .*Thing"
		status.Members = append(status.Members, name)
	}
	return ctrl.Result{}, r.saveStatus(ctx, req, status)
}

func (r *StatusCarriedIntoTheLatestVersion) saveStatus(ctx context.Context, req ctrl.Request, status thingapi.ThingStatus) error {
	return retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		latest := &thingapi.Thing{}
		if err := r.Get(ctx, req.NamespacedName, latest); err != nil {
			return err
		}
		latest.Status = status
		return r.Status().Update(ctx, latest)
	})
}

// ObjectInAFieldOfTheReceiver keeps the state of one pass in a struct: one
// method fills the object in a field of the receiver, another writes it.
type ObjectInAFieldOfTheReceiver struct {
	client.Client
}

type pass struct {
	client client.Client
	thing  thingapi.Thing
	config *corev1.ConfigMap
}

func (r *ObjectInAFieldOfTheReceiver) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	p := &pass{client: r.Client}
	if err := r.Get(ctx, req.NamespacedName, &p.thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	p.config = &corev1.ConfigMap{}
	if err := r.Get(ctx, req.NamespacedName, p.config); err != nil {
		return ctrl.Result{}, err
	}
	p.fill()
	return ctrl.Result{}, p.save(ctx)
}

func (p *pass) fill() {
	var lines []string
	for host, weight := range p.thing.Spec.Config { // want "unstablewrite: map order .*ConfigMap"
		lines = append(lines, host+" "+weight)
	}
	p.config.Data = map[string]string{"upstreams": strings.Join(lines, "\n")}
}

func (p *pass) save(ctx context.Context) error {
	return p.client.Update(ctx, p.config)
}

// HelperFillsWhatItsParameterPointsTo lets several functions add to one
// Deployment; the one that ranges over a map gets only a pointer to a
// container.
type HelperFillsWhatItsParameterPointsTo struct {
	client.Client
}

func (r *HelperFillsWhatItsParameterPointsTo) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var deploy appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &deploy); err != nil {
		return ctrl.Result{}, err
	}
	setReplicas(&deploy, &thing)
	for i := range deploy.Spec.Template.Spec.Containers {
		setMounts(&deploy.Spec.Template.Spec.Containers[i], thing.Spec.Config)
	}
	return ctrl.Result{}, r.Update(ctx, &deploy)
}

func setReplicas(deploy *appsv1.Deployment, thing *thingapi.Thing) {
	deploy.Spec.Replicas = thing.Spec.Replicas
}

func setMounts(c *corev1.Container, paths map[string]string) {
	c.VolumeMounts = c.VolumeMounts[:0]
	for name, path := range paths { // want "unstablewrite: map order .*Deployment"
		c.VolumeMounts = append(c.VolumeMounts, corev1.VolumeMount{Name: name, MountPath: path})
	}
}
