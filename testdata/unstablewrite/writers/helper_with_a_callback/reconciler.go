// Package controller leaves writing to a helper of another package, which calls a function of
// the controller before it compares.
package controller

import (
	"context"
	"slices"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"github.com/operatorvet/operatorvet/testdata/unstablewrite/writers/helper_with_a_callback/apply"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func keepReplicas(existing, wanted *appsv1.DeploymentSpec) { wanted.Replicas = existing.Replicas }

func deployment(thing *thingapi.Thing, args []string) *appsv1.Deployment {
	d := &appsv1.Deployment{}
	d.Name, d.Namespace = thing.Name, thing.Namespace
	d.Spec.Template.Spec.Containers = []corev1.Container{{Name: "thing", Args: args}}
	return d
}

// BadReconciler passes arguments in the order of a map. The order is written with the
// update, and not with the patch of the finalizers.
type BadReconciler struct {
	client.Client
}

func (r *BadReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	args := apply.Args(thing.Spec.Config) // want "unstablewrite: map order .* reaches Deployment spec.template.spec.containers.args in Update"
	return ctrl.Result{}, apply.Deployment(ctx, r.Client, deployment(&thing, args), apply.Options{Keep: keepReplicas})
}

// GoodReconciler sorts them.
type GoodReconciler struct {
	client.Client
}

func (r *GoodReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	args := apply.Args(thing.Spec.Config)
	slices.Sort(args)
	return ctrl.Result{}, apply.Deployment(ctx, r.Client, deployment(&thing, args), apply.Options{Keep: keepReplicas})
}
