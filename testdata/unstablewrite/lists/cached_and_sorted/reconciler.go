// Package controller sorts cached lists, or what it made of them.
package controller

import (
	"context"
	"slices"
	"sort"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// CachedListSortedByName sorts the items of a cached list in place.
type CachedListSortedByName struct {
	client.Client
}

func (r *CachedListSortedByName) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var parts thingapi.PartList
	if err := r.List(ctx, &parts, client.InNamespace(req.Namespace)); err != nil {
		return ctrl.Result{}, err
	}
	sort.Slice(parts.Items, func(i, j int) bool { return parts.Items[i].Name < parts.Items[j].Name })

	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing.Status.Members = nil
	for _, part := range parts.Items {
		thing.Status.Members = append(thing.Status.Members, part.Name)
	}
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// NamesOfACachedListSortedAfterwards sorts the names that it took from a cached
// list.
type NamesOfACachedListSortedAfterwards struct {
	client.Client
}

func (r *NamesOfACachedListSortedAfterwards) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	names, err := r.podNames(ctx, req.Namespace)
	if err != nil {
		return ctrl.Result{}, err
	}
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}}
	_, err = controllerutil.CreateOrPatch(ctx, r.Client, cm, func() error {
		cm.Data = map[string]string{"pods": strings.Join(names, ",")}
		return nil
	})
	return ctrl.Result{}, err
}

func (r *NamesOfACachedListSortedAfterwards) podNames(ctx context.Context, namespace string) ([]string, error) {
	var pods corev1.PodList
	if err := r.List(ctx, &pods, client.InNamespace(namespace)); err != nil {
		return nil, err
	}
	names := make([]string, len(pods.Items))
	for i := range pods.Items {
		names[i] = pods.Items[i].Name
	}
	slices.Sort(names)
	return names, nil
}

// PointersToItemsSorted collects pointers to the items of a cached list and
// sorts those.
type PointersToItemsSorted struct {
	client.Client
}

func (r *PointersToItemsSorted) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var jobs batchv1.JobList
	if err := r.List(ctx, &jobs, client.InNamespace(req.Namespace)); err != nil {
		return ctrl.Result{}, err
	}
	var finished []*batchv1.Job
	for i := range jobs.Items {
		if jobs.Items[i].Status.Succeeded > 0 {
			finished = append(finished, &jobs.Items[i])
		}
	}
	sort.Slice(finished, func(i, j int) bool { return finished[i].Name < finished[j].Name })
	thing.Status.Members = nil
	for _, job := range finished {
		thing.Status.Members = append(thing.Status.Members, job.Name)
	}
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// NewestItemOfACachedList takes the newest item of a cached list, wherever it
// stands.
type NewestItemOfACachedList struct {
	client.Client
}

func (r *NewestItemOfACachedList) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var jobs batchv1.JobList
	if err := r.List(ctx, &jobs, client.InNamespace(req.Namespace)); err != nil {
		return ctrl.Result{}, err
	}
	var newest *batchv1.Job
	for i := range jobs.Items {
		job := &jobs.Items[i]
		if newest == nil || newest.CreationTimestamp.Before(&job.CreationTimestamp) {
			newest = job
		}
	}
	if newest != nil {
		thing.Status.Phase = "Last run " + newest.Name
	}
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
