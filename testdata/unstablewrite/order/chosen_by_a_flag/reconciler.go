// Package controller chooses entries of a map by what it finds for each of them.
package controller

import (
	"context"
	"slices"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// Topology has the children of each switch.
type Topology map[string]map[string]bool

// Leaves lists the switches whose children have no children.
func (t Topology) Leaves() []string {
	var leaves []string
	for name, children := range t { // want "unstablewrite: map order reaches ConfigMap data.leaves. in CreateOrUpdate"
		inner := false
		for child := range children {
			if len(t[child]) > 0 {
				inner = true
			}
		}
		if !inner {
			leaves = append(leaves, name)
		}
	}
	return leaves
}

// SortedLeaves lists the same switches by name.
func (t Topology) SortedLeaves() []string {
	var leaves []string
	for name, children := range t {
		inner := false
		for child := range children {
			if len(t[child]) > 0 {
				inner = true
			}
		}
		if !inner {
			leaves = append(leaves, name)
		}
	}
	slices.Sort(leaves)
	return leaves
}

// LeavesInMapOrder writes the leaves in the order of the map.
type LeavesInMapOrder struct {
	client.Client
	Topology Topology
}

func (r *LeavesInMapOrder) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return write(ctx, r.Client, req, r.Topology.Leaves())
}

// LeavesByName writes the leaves by name.
type LeavesByName struct {
	client.Client
	Topology Topology
}

func (r *LeavesByName) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return write(ctx, r.Client, req, r.Topology.SortedLeaves())
}

// Missing adds to a container's environment what it has not yet.
type Missing struct {
	client.Client
}

func (r *Missing) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var pod corev1.Pod
	if err := r.Get(ctx, req.NamespacedName, &pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	for name, value := range thing.Spec.Config {
		found := false
		for _, env := range pod.Spec.Containers[0].Env {
			if env.Name == name {
				found = true
			}
		}
		if !found {
			pod.Spec.Containers[0].Env = append(pod.Spec.Containers[0].Env, corev1.EnvVar{Name: name, Value: value})
		}
	}
	return ctrl.Result{}, r.Update(ctx, &pod)
}

func write(ctx context.Context, c client.Client, req ctrl.Request, leaves []string) (ctrl.Result, error) {
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, c, cm, func() error {
		cm.Data = map[string]string{"leaves": strings.Join(leaves, ",")}
		return nil
	})
	return ctrl.Result{}, err
}
