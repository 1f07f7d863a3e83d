// Package controller joins the keys of a map, unsorted, into one env var.
package controller

import (
	"context"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	job := &batchv1.CronJob{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, job, func() error {
		job.Spec.Schedule = "@hourly"
		pod := &job.Spec.JobTemplate.Spec.Template.Spec
		pod.Containers = []corev1.Container{{
			Name: "sync",
			Env:  []corev1.EnvVar{{Name: "TOPICS", Value: topics(thing.Spec.Config)}},
		}}
		return nil
	})
	return ctrl.Result{}, err
}

func topics(config map[string]string) string {
	names := make([]string, 0, len(config))
	for name, enabled := range config { // want "unstablewrite: map order .*CronJob"
		if enabled == "true" {
			names = append(names, name)
		}
	}
	return strings.Join(names, ",")
}
