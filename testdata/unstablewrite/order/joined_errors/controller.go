// Package controller joins the errors of a validation into the message of a condition.
package controller

import (
	"context"
	"errors"
	"fmt"
	"sort"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// validators are all called, and what they find is joined.
type validators []func(thing *thingapi.Thing) []error

func (vs validators) validate(thing *thingapi.Thing) error {
	var errs []error
	for _, v := range vs {
		errs = append(errs, v(thing)...)
	}
	return errors.Join(errs...)
}

// duplicateHosts returns the hosts that are there twice, in no order.
func duplicateHosts(thing *thingapi.Thing) []error {
	counts := make(map[string]int)
	for _, host := range thing.Spec.Hosts {
		counts[host]++
	}
	var errs []error
	for host, n := range counts { // want "unstablewrite: map order reaches Thing status.conditions in Update"
		if n > 1 {
			errs = append(errs, fmt.Errorf("host %q is there %d times", host, n))
		}
	}
	return errs
}

// emptyHosts returns the empty hosts, in the order of the spec.
func emptyHosts(thing *thingapi.Thing) []error {
	var errs []error
	for i, host := range thing.Spec.Hosts {
		if host == "" {
			errs = append(errs, fmt.Errorf("host %d is empty", i))
		}
	}
	return errs
}

// longHosts returns the hosts that are too long, in the order of their names.
func longHosts(thing *thingapi.Thing) []error {
	long := make(map[string]bool)
	for _, host := range thing.Spec.Hosts {
		if len(host) > 63 {
			long[host] = true
		}
	}
	var errs []error
	for host := range long {
		errs = append(errs, fmt.Errorf("host %q is too long", host))
	}
	sort.Slice(errs, func(i, j int) bool { return errs[i].Error() < errs[j].Error() })
	return errs
}

func setValid(thing *thingapi.Thing, err error) {
	valid := metav1.Condition{Type: "Valid", Status: metav1.ConditionTrue, Reason: "Valid"}
	if err != nil {
		valid.Status, valid.Reason, valid.Message = metav1.ConditionFalse, "NotValid", err.Error()
	}
	meta.SetStatusCondition(&thing.Status.Conditions, valid)
}

// MessageInMapOrder has the errors in the order of a map in the message.
type MessageInMapOrder struct {
	client.Client
}

func (r *MessageInMapOrder) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	setValid(thing, validators{emptyHosts, duplicateHosts}.validate(thing))
	return ctrl.Result{}, r.Status().Update(ctx, thing)
}

// MessageInAFixedOrder only has errors that are sorted, or in the order of the spec.
type MessageInAFixedOrder struct {
	client.Client
}

func (r *MessageInAFixedOrder) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	setValid(thing, validators{emptyHosts, longHosts}.validate(thing))
	return ctrl.Result{}, r.Status().Update(ctx, thing)
}
