// Package controller assembles an object by functional options; one of them is a
// closure over a map.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

type option func(*appsv1.Deployment)

func withImage(image string) option {
	return func(d *appsv1.Deployment) { d.Spec.Template.Spec.Containers[0].Image = image }
}

func withArgs(flags map[string]string) option {
	return func(d *appsv1.Deployment) {
		main := &d.Spec.Template.Spec.Containers[0]
		for name, value := range flags { // want "unstablewrite: map order .*Deployment"
			main.Args = append(main.Args, "-"+name, value)
		}
	}
}

func newDeployment(name, namespace string, options ...option) *appsv1.Deployment {
	d := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace}}
	d.Spec.Template.Spec.Containers = make([]corev1.Container, 1)
	for _, apply := range options {
		apply(d)
	}
	return d
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	deploy := newDeployment(thing.Name, thing.Namespace, withImage(thing.Spec.Image), withArgs(thing.Spec.Config))
	return ctrl.Result{}, r.Update(ctx, deploy)
}
