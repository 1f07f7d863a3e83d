// Package controller looks up values by the keys of a map, and writes lines with
// helpers.
package controller

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func line(w io.Writer, name, value string) { fmt.Fprintf(w, "%s=%s\n", name, value) }

// ValuesByKey lists the values that it looks up by the keys of a range.
type ValuesByKey struct{ client.Client }

func (r *ValuesByKey) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var svc corev1.Service
	if err := r.Get(ctx, req.NamespacedName, &svc); err != nil {
		return ctrl.Result{}, err
	}
	var ips []string
	for name := range thing.Spec.Config { // want "unstablewrite: .*map order.*Service"
		ips = append(ips, thing.Spec.Config[name])
	}
	svc.Spec.ExternalIPs = ips
	return ctrl.Result{}, r.Update(ctx, &svc)
}

// ValuesBySortedKey lists them by sorted keys.
type ValuesBySortedKey struct{ client.Client }

func (r *ValuesBySortedKey) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var svc corev1.Service
	if err := r.Get(ctx, req.NamespacedName, &svc); err != nil {
		return ctrl.Result{}, err
	}
	var ips []string
	for _, name := range slices.Sorted(maps.Keys(thing.Spec.Config)) {
		ips = append(ips, thing.Spec.Config[name])
	}
	svc.Spec.ExternalIPs = ips
	return ctrl.Result{}, r.Update(ctx, &svc)
}

// Lines calls a helper for each line of a file, and hashes into an array.
type Lines struct{ client.Client }

func (r *Lines) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, err
	}
	var b strings.Builder
	for name, value := range thing.Spec.Config { // want "unstablewrite: .*map order.*ConfigMap data.env"
		line(&b, name, value)
	}
	sum := sha256.New()
	for name := range thing.Spec.Labels { // want "unstablewrite: .*map order.*ConfigMap data.hash"
		sum.Write([]byte(name))
	}
	var hash [sha256.Size]byte
	sum.Sum(hash[:0])
	cm.Data = map[string]string{"env": b.String(), "hash": hex.EncodeToString(hash[:]), "names": ""}
	for name := range thing.Spec.Config { // want "unstablewrite: .*map order.*ConfigMap data.names"
		cm.Data["names"] += name + ","
	}
	return ctrl.Result{}, r.Update(ctx, &cm)
}

// SortedLines does the same with sorted keys, and has an entry for each key.
type SortedLines struct{ client.Client }

func (r *SortedLines) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, err
	}
	var b strings.Builder
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(thing.Spec.Config)) {
		line(&b, name, thing.Spec.Config[name])
		sum.Write([]byte(name))
	}
	var hash [sha256.Size]byte
	sum.Sum(hash[:0])
	cm.Data = map[string]string{"env": b.String(), "hash": hex.EncodeToString(hash[:])}
	for name, value := range thing.Spec.Config {
		var own strings.Builder
		line(&own, name, value)
		cm.Data[name] = own.String()
		cm.Data[name] += value
	}
	return ctrl.Result{}, r.Update(ctx, &cm)
}
