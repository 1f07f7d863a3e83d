// Package controller writes the status in a deferred call, at each exit of Reconcile.
package controller

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var errFailed = errors.New("some hosts failed")

// apply stands for what is done for a host.
func apply(host string) error {
	if strings.HasPrefix(host, "-") {
		return fmt.Errorf("host %s is not valid", host)
	}
	return nil
}

// synchronized returns the condition after an attempt.
func synchronized(failures []string) metav1.Condition {
	if len(failures) == 0 {
		return metav1.Condition{Type: "Synchronized", Status: metav1.ConditionTrue, Reason: "Applied"}
	}
	return metav1.Condition{Type: "Synchronized", Status: metav1.ConditionFalse, Reason: "Failed", Message: strings.Join(failures, ", ")}
}

// Failing writes the failures in the order of a map, at the exit with an error.
type Failing struct{ client.Client }

func (r *Failing) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	defer updateStatus(ctx, r.Client, thing)

	failed := make(map[string]error)
	for _, host := range thing.Spec.Hosts {
		if err := apply(host); err != nil {
			failed[host] = err
		}
	}
	var failures []string
	for host, err := range failed { // want "unstablewrite: map order reaches Thing status.conditions"
		failures = append(failures, host+": "+err.Error())
	}
	meta.SetStatusCondition(&thing.Status.Conditions, synchronized(failures))

	if len(failed) > 0 {
		return ctrl.Result{}, errFailed
	}
	return ctrl.Result{}, nil
}

// Sorting writes them in a fixed order.
type Sorting struct{ client.Client }

func (r *Sorting) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	defer updateStatus(ctx, r.Client, thing)

	failed := make(map[string]error)
	for _, host := range thing.Spec.Hosts {
		if err := apply(host); err != nil {
			failed[host] = err
		}
	}
	var failures []string
	for _, host := range slices.Sorted(maps.Keys(failed)) {
		failures = append(failures, host+": "+failed[host].Error())
	}
	meta.SetStatusCondition(&thing.Status.Conditions, synchronized(failures))

	if len(failed) > 0 {
		return ctrl.Result{}, errFailed
	}
	return ctrl.Result{}, nil
}

// Telling puts the failures into the error only.
type Telling struct{ client.Client }

func (r *Telling) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	defer updateStatus(ctx, r.Client, thing)

	failed := make(map[string]error)
	for _, host := range thing.Spec.Hosts {
		if err := apply(host); err != nil {
			failed[host] = err
		}
	}
	var failures []string
	for host := range failed {
		failures = append(failures, host)
	}
	if len(failed) > 0 {
		meta.SetStatusCondition(&thing.Status.Conditions, synchronized([]string{"see the log"}))
		return ctrl.Result{}, fmt.Errorf("%w: %s", errFailed, strings.Join(failures, ", "))
	}
	meta.SetStatusCondition(&thing.Status.Conditions, synchronized(nil))
	return ctrl.Result{}, nil
}

func updateStatus(ctx context.Context, c client.Client, thing *thingapi.Thing) {
	if err := c.Status().Update(ctx, thing); err != nil {
		ctrl.LoggerFrom(ctx).Error(err, "cannot update the status")
	}
}
