// Package controller has Deployments built, and applied, by another package.
package controller

import (
	"context"
	"time"

	"github.com/operatorvet/operatorvet/testdata/unstablewrite/writers/built_and_applied/apply"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// StampedTemplate stamps the template by which the Deployment is compared.
type StampedTemplate struct {
	client.Client
}

func (r *StampedTemplate) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var base appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &base); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	builder := apply.NewBuilder(base.Spec.Template).WithAnnotations(map[string]string{
		"things.example.com/built": time.Now().Format(time.RFC3339), // want "unstablewrite: time\\.Now .*Deployment"
	})
	return ctrl.Result{}, apply.Deployment(ctx, r.Client, appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: req.Name + "-copy", Namespace: req.Namespace},
		Spec:       appsv1.DeploymentSpec{Template: builder.Template},
	})
}

// StampedBesideWhatIsCompared stamps the template of a Deployment whose labels are compared.
type StampedBesideWhatIsCompared struct {
	client.Client
}

func (r *StampedBesideWhatIsCompared) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var base appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &base); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	builder := apply.NewBuilder(base.Spec.Template).WithAnnotations(map[string]string{
		"things.example.com/built": time.Now().Format(time.RFC3339),
	})
	return ctrl.Result{}, apply.Labelled(ctx, r.Client, appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: req.Name + "-copy", Namespace: req.Namespace, Labels: map[string]string{"app": req.Name}},
		Spec:       appsv1.DeploymentSpec{Template: builder.Template},
	})
}
