// Package controller ranges over maps for an answer that does not depend on the
// order.
package controller

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// AnyEntryOfAMapSetsAFlag asks whether any entry of a map has a property;
// whichever is met first, the answer is the same.
type AnyEntryOfAMapSetsAFlag struct {
	client.Client
}

func (r *AnyEntryOfAMapSetsAFlag) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing.Status.Phase = "Quiet"
	if anyDebug(thing.Spec.Config) {
		thing.Status.Phase = "Debugging"
	}
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func anyDebug(config map[string]string) bool {
	for key, value := range config {
		if strings.HasPrefix(key, "debug") && value != "off" {
			return true
		}
	}
	return false
}

// CountedAndMaximisedOverAMap counts, sums and takes the greatest, in whatever
// order.
type CountedAndMaximisedOverAMap struct {
	client.Client
}

func (r *CountedAndMaximisedOverAMap) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var ready, greatest int32
	for _, value := range thing.Spec.Config {
		n, err := strconv.Atoi(value)
		if err != nil {
			continue
		}
		ready += int32(n)
		if int32(n) > greatest {
			greatest = int32(n)
		}
	}
	thing.Status.ReadyReplicas = ready
	thing.Status.Phase = fmt.Sprintf("at most %d of %d", greatest, len(thing.Spec.Config))
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// OnlyLengthAndMembershipAreUsed collects names in map order and asks how many
// there are and whether one is among them.
type OnlyLengthAndMembershipAreUsed struct {
	client.Client
}

func (r *OnlyLengthAndMembershipAreUsed) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var enabled []string
	for name, value := range thing.Spec.Config {
		if value == "enabled" {
			enabled = append(enabled, name)
		}
	}
	thing.Status.ReadyReplicas = int32(len(enabled))
	thing.Status.Phase = "Plain"
	if slices.Contains(enabled, "tls") {
		thing.Status.Phase = "Encrypted"
	}
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// RangeOverAMapFindsTheOneMatch looks through a map for the one entry with a
// given value.
type RangeOverAMapFindsTheOneMatch struct {
	client.Client
}

func (r *RangeOverAMapFindsTheOneMatch) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing.Status.Phase = "Idle"
	if name, ok := keyOf(thing.Spec.Config, thing.Spec.TargetRef); ok {
		thing.Status.Phase = "Targets " + name
	}
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func keyOf(m map[string]string, value string) (string, bool) {
	for k, v := range m {
		if v == value {
			return k, true
		}
	}
	return "", false
}

// known are the settings that may be changed.
var known = map[string]bool{"interval": true}

// OneKnownSetting takes the entry of one key out of a map.
type OneKnownSetting struct{ client.Client }

func (r *OneKnownSetting) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	text := ""
	for name, value := range thing.Spec.Config {
		if _, ok := known[name]; ok {
			text += name + ": " + value + "\n"
		}
	}
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, err
	}
	cm.Data = map[string]string{"config.yaml": text}
	return ctrl.Result{}, r.Update(ctx, &cm)
}
