// Package controller draws names and ports.
package controller

import (
	"context"
	"math/rand/v2"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilrand "k8s.io/apimachinery/pkg/util/rand"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// RandomNameKeptInTheSpecOnceChosen chooses a random name while the field is
// empty and keeps it then.
type RandomNameKeptInTheSpecOnceChosen struct {
	client.Client
}

func (r *RandomNameKeptInTheSpecOnceChosen) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := r.ensureSecretName(ctx, &thing); err != nil {
		return ctrl.Result{}, err
	}
	thing.Status.Phase = "Uses " + thing.Spec.SecretRef
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func (r *RandomNameKeptInTheSpecOnceChosen) ensureSecretName(ctx context.Context, thing *thingapi.Thing) error {
	if thing.Spec.SecretRef != "" {
		return nil
	}
	thing.Spec.SecretRef = thing.Name + "-" + utilrand.String(6)
	return r.Update(ctx, thing)
}

// GeneratedNameLeftToTheServer leaves the random part of a name to the server.
type GeneratedNameLeftToTheServer struct {
	client.Client
}

func (r *GeneratedNameLeftToTheServer) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if thing.Spec.TargetRef != "" {
		return ctrl.Result{}, nil
	}
	part := &thingapi.Part{ObjectMeta: metav1.ObjectMeta{GenerateName: thing.Name + "-", Namespace: thing.Namespace}}
	if err := r.Create(ctx, part); err != nil {
		return ctrl.Result{}, err
	}
	thing.Spec.TargetRef = part.Name
	return ctrl.Result{}, r.Update(ctx, &thing)
}

// RandomSuffixInThePodTemplate names a volume with a random suffix in a
// template that it updates, so the pods roll.
type RandomSuffixInThePodTemplate struct {
	client.Client
}

func (r *RandomSuffixInThePodTemplate) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	deploy := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, deploy, func() error {
		deploy.Spec.Template.Spec.Volumes = []corev1.Volume{{
			Name:         "scratch-" + utilrand.String(5), // want "unstablewrite: rand\\.String .*Deployment"
			VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}},
		}}
		return nil
	})
	return ctrl.Result{}, err
}

// RandomNodePortInAService draws a node port anew although the Service has one.
type RandomNodePortInAService struct {
	client.Client
}

func (r *RandomNodePortInAService) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var service corev1.Service
	if err := r.Get(ctx, req.NamespacedName, &service); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	for i := range service.Spec.Ports {
		service.Spec.Ports[i].NodePort = 30000 + rand.Int32N(2768) // want "unstablewrite: rand\\.Int32N .*Service"
	}
	return ctrl.Result{}, r.Update(ctx, &service)
}
