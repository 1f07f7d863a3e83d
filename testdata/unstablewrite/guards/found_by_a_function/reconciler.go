// Package controller asks functions that look for objects.
package controller

import (
	"context"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Others waits for Jobs that somebody else makes.
type Others struct {
	client.Client
}

func (r *Others) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	running, err := isRunning(ctx, r.Client, cm.Namespace, cm.Name)
	if err != nil {
		return ctrl.Result{}, err
	}
	if running {
		return ctrl.Result{}, nil
	}
	cm.Data = map[string]string{"at": time.Now().String()} // want "unstablewrite: time\\.Now reaches ConfigMap data"
	return ctrl.Result{}, r.save(ctx, &cm)
}

func (r *Others) save(ctx context.Context, obj client.Object) error { return r.Update(ctx, obj) }

func isRunning(ctx context.Context, c client.Client, namespace, name string) (bool, error) {
	var jobs batchv1.JobList
	if err := c.List(ctx, &jobs, client.InNamespace(namespace)); err != nil {
		return false, err
	}
	for _, job := range jobs.Items {
		if job.Labels["for"] == name {
			return true, nil
		}
	}
	return false, nil
}

// Own makes the Job that it looks for.
type Own struct {
	client.Client
}

func (r *Own) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	running, err := isRunning(ctx, r.Client, cm.Namespace, cm.Name)
	if err != nil {
		return ctrl.Result{}, err
	}
	if running {
		return ctrl.Result{}, nil
	}
	cm.Data = map[string]string{"at": time.Now().String()}
	if err := r.save(ctx, &cm); err != nil {
		return ctrl.Result{}, err
	}
	job := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{
		Name: req.Name, Namespace: req.Namespace, Labels: map[string]string{"for": cm.Name},
	}}
	return ctrl.Result{}, client.IgnoreAlreadyExists(r.Create(ctx, job))
}

func (r *Own) save(ctx context.Context, obj client.Object) error { return r.Update(ctx, obj) }
