// Package controller asks a clock that tests may replace.
package controller

import (
	"context"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// InjectedClockStampsAnAnnotation asks an injected clock, which is a clock all
// the same.
type InjectedClockStampsAnAnnotation struct {
	client.Client
	Clock clock.PassiveClock
}

func (r *InjectedClockStampsAnAnnotation) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var service corev1.Service
	if err := r.Get(ctx, req.NamespacedName, &service); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if service.Annotations == nil {
		service.Annotations = map[string]string{}
	}
	service.Annotations["things.example.com/seen"] = r.Clock.Now().Format(time.RFC3339Nano) // want "unstablewrite: .*Now .*Service"
	return ctrl.Result{}, r.Update(ctx, &service)
}

type Clock interface {
	Now() time.Time
}

// OwnClockInterfaceFillsTheStatus has a clock interface of its own, as the
// kubebuilder book shows it, and writes what it says into the status.
type OwnClockInterfaceFillsTheStatus struct {
	client.Client
	Clock
}

func (r *OwnClockInterfaceFillsTheStatus) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing.Status.LastSync = &metav1.Time{Time: r.Now()} // want "unstablewrite: .*Now .*Thing"
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// ClockInAFunctionField has the clock in a field, so that tests may replace it.
type ClockInAFunctionField struct {
	client.Client
	now func() time.Time
}

func NewReconciler(c client.Client) *ClockInAFunctionField {
	return &ClockInAFunctionField{Client: c, now: time.Now}
}

func (r *ClockInAFunctionField) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing.Status.LastSync = &metav1.Time{Time: r.now()} // want "unstablewrite: .*[nN]ow .*Thing"
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
