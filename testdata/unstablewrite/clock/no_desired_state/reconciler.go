// Package controller writes the time where no state is wished for.
package controller

import (
	"context"
	"math/rand"
	"time"

	"github.com/google/uuid"
	"github.com/operatorvet/operatorvet/testdata/thingapi"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// LeaseRenewedWithTheTime renews a Lease, which is about time.
type LeaseRenewedWithTheTime struct {
	client.Client
}

func (r *LeaseRenewedWithTheTime) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var lease coordinationv1.Lease
	if err := r.Get(ctx, req.NamespacedName, &lease); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	now := metav1.NowMicro()
	lease.Spec.RenewTime = &now
	if err := r.Update(ctx, &lease); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{RequeueAfter: 10 * time.Second}, nil
}

// EventCountedUpWithTheTime counts up an Event that it wrote before.
type EventCountedUpWithTheTime struct {
	client.Client
}

func (r *EventCountedUpWithTheTime) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var ev corev1.Event
	err := r.Get(ctx, req.NamespacedName, &ev)
	if apierrors.IsNotFound(err) {
		ev = corev1.Event{
			ObjectMeta:     metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace},
			Reason:         "Seen",
			FirstTimestamp: metav1.Now(),
		}
		return ctrl.Result{}, r.Create(ctx, &ev)
	}
	if err != nil {
		return ctrl.Result{}, err
	}
	ev.Count++
	ev.LastTimestamp = metav1.Now()
	return ctrl.Result{}, r.Update(ctx, &ev)
}

type observer interface {
	Observe(seconds float64)
}

// TimeAndRandomInLogsMetricsAndRequeue measures itself, logs a random id and
// spreads its requeues; none of it is written.
type TimeAndRandomInLogsMetricsAndRequeue struct {
	client.Client
	Durations observer
}

func (r *TimeAndRandomInLogsMetricsAndRequeue) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	start := time.Now()
	logger := log.FromContext(ctx).WithValues("pass", uuid.NewString())
	defer func() {
		r.Durations.Observe(time.Since(start).Seconds())
		logger.Info("done", "took", time.Since(start).String())
	}()

	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing.Status.ObservedGeneration = thing.Generation
	if err := r.Status().Update(ctx, &thing); err != nil {
		return ctrl.Result{}, err
	}
	jitter := time.Duration(rand.Int63n(int64(time.Minute)))
	return ctrl.Result{RequeueAfter: time.Hour + jitter}, nil
}

// HeartbeatOfANode sets the time of the heartbeat, which is there to differ. The time of the
// transition is not.
type HeartbeatOfANode struct {
	client.Client
}

func (r *HeartbeatOfANode) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var node corev1.Node
	if err := r.Get(ctx, req.NamespacedName, &node); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	node.Status.Conditions = []corev1.NodeCondition{{
		Type:               "Checked",
		Status:             corev1.ConditionTrue,
		LastHeartbeatTime:  metav1.Now(),
		LastTransitionTime: metav1.Now(), // want "unstablewrite: metav1.Now reaches Node status.conditions.lastTransitionTime in Update .*; every reconcile writes it again"
	}}
	return ctrl.Result{RequeueAfter: time.Minute}, r.Status().Update(ctx, &node)
}
