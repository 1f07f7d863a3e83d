// Package controller builds Deployments by value, passes a list of them on, and
// takes over the spec of a copy of each.
package controller

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	wanted := []appsv1.Deployment{}
	wanted = append(wanted, deployment(&thing))
	return ctrl.Result{}, r.update(ctx, wanted)
}

func (r *Reconciler) update(ctx context.Context, wanted []appsv1.Deployment) error {
	for _, w := range wanted {
		desired := w
		existing := &appsv1.Deployment{}
		if err := r.Get(ctx, client.ObjectKeyFromObject(&desired), existing); err != nil {
			return err
		}
		updated := existing.DeepCopy()
		updated.Spec = desired.Spec
		if err := r.Patch(ctx, updated, client.MergeFrom(existing)); err != nil {
			return err
		}
	}
	return nil
}

func deployment(thing *thingapi.Thing) appsv1.Deployment {
	var args []string
	for name, value := range thing.Spec.Config { // want "unstablewrite: map order .*Deployment spec\\.template\\.spec\\.containers\\.args"
		args = append(args, "--"+name+"="+value)
	}
	return appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace},
		Spec: appsv1.DeploymentSpec{Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{
			Containers: []corev1.Container{{Name: "main", Args: args}},
		}}},
	}
}
