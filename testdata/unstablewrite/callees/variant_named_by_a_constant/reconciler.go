// Package controller names by a constant which of two things a helper does.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const (
	agent  = "agent"
	server = "server"
)

// setArgs sets the arguments of a container of an agent or a server.
func setArgs(container *corev1.Container, settings map[string]string, variant string) {
	switch variant {
	case agent:
		container.Args = flags(settings)
	case server:
		container.Args = []string{"--server"}
	}
}

func flags(settings map[string]string) []string {
	var args []string
	for key, value := range settings { // want "unstablewrite: map order reaches DaemonSet spec.template.spec.containers.args in Update"
		args = append(args, "--"+key+"="+value)
	}
	return args
}

// ArgsOfAnAgent sets the arguments of an agent.
type ArgsOfAnAgent struct {
	client.Client
}

func (r *ArgsOfAnAgent) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var set appsv1.DaemonSet
	if err := r.Get(ctx, req.NamespacedName, &set); err != nil {
		return ctrl.Result{}, err
	}
	setArgs(&set.Spec.Template.Spec.Containers[0], thing.Labels, agent)
	return ctrl.Result{}, r.Update(ctx, &set)
}

// ArgsOfAServer sets the arguments of a server.
type ArgsOfAServer struct {
	client.Client
}

func (r *ArgsOfAServer) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var deploy appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &deploy); err != nil {
		return ctrl.Result{}, err
	}
	setArgs(&deploy.Spec.Template.Spec.Containers[0], thing.Labels, server)
	return ctrl.Result{}, r.Update(ctx, &deploy)
}
