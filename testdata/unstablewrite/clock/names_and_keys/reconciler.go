// Package controller makes names and keys of the time.
package controller

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilrand "k8s.io/apimachinery/pkg/util/rand"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// TimeInAKeyOfTheData keeps a history in a ConfigMap under keys that are times.
type TimeInAKeyOfTheData struct {
	client.Client
}

func (r *TimeInAKeyOfTheData) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-history", Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, cm, func() error {
		if cm.Data == nil {
			cm.Data = make(map[string]string)
		}
		cm.Data["at-"+strconv.FormatInt(time.Now().Unix(), 10)] = thing.Status.Phase // want "unstablewrite: time\\.Now .*ConfigMap"
		return nil
	})
	return ctrl.Result{}, err
}

// JobNamedWithTheTimeIsOnlyCreated creates a Job with a time and a random
// suffix in its name; nothing is ever updated with them.
type JobNamedWithTheTimeIsOnlyCreated struct {
	client.Client
}

func (r *JobNamedWithTheTimeIsOnlyCreated) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if thing.Status.Phase == "Backed up" {
		return ctrl.Result{}, nil
	}
	job := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{
		Name:        fmt.Sprintf("backup-%d-%s", time.Now().Unix(), utilrand.String(4)),
		Namespace:   thing.Namespace,
		Annotations: map[string]string{"started": time.Now().Format(time.RFC3339)},
	}}
	if err := r.Create(ctx, job); err != nil {
		return ctrl.Result{}, err
	}
	thing.Status.Phase = "Backed up"
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
