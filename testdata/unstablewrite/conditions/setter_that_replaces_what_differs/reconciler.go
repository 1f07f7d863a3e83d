// Package controller sets conditions by a package that replaces those that differ.
package controller

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"github.com/operatorvet/operatorvet/testdata/unstablewrite/conditions/setter_that_replaces_what_differs/conditions"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type object struct{ *thingapi.Thing }

func (o object) GetConditions() []metav1.Condition  { return o.Status.Conditions }
func (o object) SetConditions(c []metav1.Condition) { o.Status.Conditions = c }

// MessageInTheOrderOfAMap has another message each time, so the condition always differs. A
// second condition is set after it.
type MessageInTheOrderOfAMap struct {
	client.Client
}

func (r *MessageInTheOrderOfAMap) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var unknown []string
	for name, value := range thing.Spec.Config { // want "unstablewrite: map order reaches Thing status.conditions"
		unknown = append(unknown, fmt.Sprintf("%s=%s", name, value))
	}
	conditions.MarkFalse(object{&thing}, "Valid", "Unknown", strings.Join(unknown, ", "))
	conditions.MarkFalse(object{&thing}, "Ready", "Invalid", "the configuration is not valid")
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// MessageSorted has the same message each time.
type MessageSorted struct {
	client.Client
}

func (r *MessageSorted) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var unknown []string
	for name, value := range thing.Spec.Config {
		unknown = append(unknown, fmt.Sprintf("%s=%s", name, value))
	}
	slices.Sort(unknown)
	conditions.MarkFalse(object{&thing}, "Valid", "Unknown", strings.Join(unknown, ", "))
	conditions.MarkFalse(object{&thing}, "Ready", "Invalid", "the configuration is not valid")
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
