// Package controller measures and adds durations.
package controller

import (
	"context"
	"strconv"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// AgeWrittenAsADuration writes how old the object is, which is another answer
// each time.
type AgeWrittenAsADuration struct {
	client.Client
}

func (r *AgeWrittenAsADuration) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	age := time.Since(thing.CreationTimestamp.Time) // want "unstablewrite: time\\.Since .*Thing"
	thing.Status.Phase = "running for " + age.String()
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// ExpiryCountedFromNow moves an expiry forward on each pass, in seconds since
// the epoch.
type ExpiryCountedFromNow struct {
	client.Client
}

func (r *ExpiryCountedFromNow) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var secret corev1.Secret
	if err := r.Get(ctx, req.NamespacedName, &secret); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	secret.Data["expires"] = expiry(24 * time.Hour)
	return ctrl.Result{}, r.Update(ctx, &secret)
}

func expiry(ttl time.Duration) []byte {
	at := time.Now().Add(ttl) // want "unstablewrite: time\\.Now .*Secret"
	return strconv.AppendInt(nil, at.Unix(), 10)
}

// DurationComparedWithAThreshold measures how long a pod is pending, to decide.
type DurationComparedWithAThreshold struct {
	client.Client
}

func (r *DurationComparedWithAThreshold) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var pod corev1.Pod
	if err := r.Get(ctx, req.NamespacedName, &pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	stuck := pod.Status.Phase == corev1.PodPending && time.Since(pod.CreationTimestamp.Time) > 5*time.Minute
	base := pod.DeepCopy()
	metav1.SetMetaDataLabel(&pod.ObjectMeta, "things.example.com/stuck", strconv.FormatBool(stuck))
	return ctrl.Result{}, r.Patch(ctx, &pod, client.MergeFrom(base))
}

// DeadlineOfTheContextOfAWrite gives a write a deadline; the time is in the
// context, not in the object.
type DeadlineOfTheContextOfAWrite struct {
	client.Client
}

func (r *DeadlineOfTheContextOfAWrite) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	ctx, cancel := context.WithDeadline(ctx, time.Now().Add(30*time.Second))
	defer cancel()
	var service corev1.Service
	if err := r.Get(ctx, req.NamespacedName, &service); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	service.Spec.Selector = map[string]string{"app": req.Name}
	return ctrl.Result{}, r.Update(ctx, &service)
}
