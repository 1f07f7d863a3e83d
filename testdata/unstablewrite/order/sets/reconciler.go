// Package controller lists sets.
package controller

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// SetsListIsSorted lists sets by the functions that sort.
type SetsListIsSorted struct {
	client.Client
}

func (r *SetsListIsSorted) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	hosts := sets.New(thing.Spec.Hosts...)
	for host := range thing.Spec.Config {
		hosts.Insert(host)
	}
	finalizers := sets.NewString(thing.Finalizers...)
	finalizers.Insert("things.example.com/hosts")

	thing.Finalizers = finalizers.List()
	thing.Spec.Hosts = sets.List(hosts)
	return ctrl.Result{}, r.Update(ctx, &thing)
}

// ListInMapOrderGoesThroughASet puts a list in map order into a set and lists
// that sorted.
type ListInMapOrderGoesThroughASet struct {
	client.Client
}

func (r *ListInMapOrderGoesThroughASet) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var hosts []string
	for zone, name := range thing.Spec.Config {
		hosts = append(hosts, name+"."+zone)
	}
	unique := sets.New(hosts...).Difference(sets.New("localhost"))
	base := thing.DeepCopy()
	thing.Status.Members = sets.List(unique)
	return ctrl.Result{}, r.Status().Patch(ctx, &thing, client.MergeFrom(base))
}

// RangeOverAStringSetOfHosts unites hosts in a set and ranges over it; a set is
// a map.
type RangeOverAStringSetOfHosts struct {
	client.Client
}

func (r *RangeOverAStringSetOfHosts) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	hosts := sets.New(thing.Spec.Hosts...).Union(sets.KeySet(thing.Spec.Config))
	ingress := &networkingv1.Ingress{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, ingress, func() error {
		tls := networkingv1.IngressTLS{SecretName: thing.Spec.SecretRef}
		for host := range hosts { // want "unstablewrite: map order .*Ingress"
			tls.Hosts = append(tls.Hosts, host)
		}
		ingress.Spec.TLS = []networkingv1.IngressTLS{tls}
		return nil
	})
	return ctrl.Result{}, err
}

// OldStringSetListedWithoutOrder puts the unsorted list of an old-style string
// set into a hash.
type OldStringSetListedWithoutOrder struct {
	client.Client
}

func (r *OldStringSetListedWithoutOrder) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	names := sets.StringKeySet(thing.Spec.Config)
	names.Insert(thing.Spec.Hosts...)
	sum := sha256.Sum256([]byte(strings.Join(names.UnsortedList(), "|"))) // want "unstablewrite: (map order|.*UnsortedList) .*Thing"
	thing.Status.Hash = hex.EncodeToString(sum[:])
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// FinalizersFromAnUnsortedList edits finalizers as a set and writes them back
// as the set's unsorted list.
type FinalizersFromAnUnsortedList struct {
	client.Client
}

const finalizer = "things.example.com/cleanup"

func (r *FinalizersFromAnUnsortedList) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	finalizers := sets.New(thing.Finalizers...)
	finalizers.Insert(finalizer)
	thing.Finalizers = finalizers.UnsortedList() // want "unstablewrite: (map order|.*UnsortedList) .*Thing"
	return ctrl.Result{}, r.Update(ctx, &thing)
}

// VolumesFromASetOfSecretNames dedupes secret names with a set and mounts them
// in the order in which the set is ranged over.
type VolumesFromASetOfSecretNames struct {
	client.Client
}

func (r *VolumesFromASetOfSecretNames) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	deploy := &appsv1.Deployment{}
	if err := r.Get(ctx, req.NamespacedName, deploy); err != nil {
		return ctrl.Result{}, err
	}
	deploy.Spec.Template.Spec.Volumes = volumes(&thing)
	return ctrl.Result{}, r.Update(ctx, deploy)
}

func volumes(thing *thingapi.Thing) []corev1.Volume {
	seen := make(map[string]struct{})
	for _, host := range thing.Spec.Hosts {
		seen["tls-"+host] = struct{}{}
	}
	var volumes []corev1.Volume
	for name := range seen { // want "unstablewrite: map order .*Deployment"
		volumes = append(volumes, corev1.Volume{
			Name:         name,
			VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: name}},
		})
	}
	return volumes
}
