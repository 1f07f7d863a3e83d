// Package controller looks things up in goroutines.
package controller

import (
	"context"
	"slices"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Received writes what it receives, as it comes.
type Received struct{ client.Client }

type answer struct {
	version string
	err     error
}

func (r *Received) lookUp(ctx context.Context, name string) answer {
	var cm corev1.ConfigMap
	if err := r.Get(ctx, client.ObjectKey{Name: name}, &cm); err != nil {
		return answer{err: err}
	}
	return answer{version: name + "=" + cm.ResourceVersion}
}

func (r *Received) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var svc corev1.Service
	if err := r.Get(ctx, req.NamespacedName, &svc); err != nil {
		return ctrl.Result{}, err
	}
	answers := make(chan answer, len(svc.Spec.ExternalIPs))
	for _, ip := range svc.Spec.ExternalIPs {
		go func() { answers <- r.lookUp(ctx, ip) }()
	}
	var versions []string
	for range svc.Spec.ExternalIPs {
		a := <-answers // want "unstablewrite: goroutine order reaches Service metadata.annotations"
		if a.err != nil {
			return ctrl.Result{}, a.err
		}
		versions = append(versions, a.version)
	}
	svc.Annotations["versions"] = strings.Join(versions, ",")
	return ctrl.Result{}, r.Update(ctx, &svc)
}

// Appended writes what each goroutine has appended.
type Appended struct{ Received }

func (r *Appended) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var svc corev1.Service
	if err := r.Get(ctx, req.NamespacedName, &svc); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var (
		wg       sync.WaitGroup
		mu       sync.Mutex
		versions []string
	)
	for _, ip := range svc.Spec.ExternalIPs {
		wg.Go(func() {
			a := r.lookUp(ctx, ip)
			mu.Lock()
			defer mu.Unlock()
			versions = append(versions, a.version) // want "unstablewrite: goroutine order reaches Service metadata.annotations"
		})
	}
	wg.Wait()
	svc.Annotations["versions"] = strings.Join(versions, ",")
	return ctrl.Result{}, r.Update(ctx, &svc)
}

// Sorted sorts it.
type Sorted struct{ Received }

func (r *Sorted) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var svc corev1.Service
	if err := r.Get(ctx, req.NamespacedName, &svc); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	answers := make(chan answer, len(svc.Spec.ExternalIPs))
	for _, ip := range svc.Spec.ExternalIPs {
		go func() { answers <- r.lookUp(ctx, ip) }()
	}
	var versions []string
	for range svc.Spec.ExternalIPs {
		versions = append(versions, (<-answers).version)
	}
	slices.Sort(versions)
	svc.Annotations["versions"] = strings.Join(versions, ",")
	return ctrl.Result{}, r.Update(ctx, &svc)
}

// Placed gives each goroutine a place of its own.
type Placed struct{ Received }

func (r *Placed) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var svc corev1.Service
	if err := r.Get(ctx, req.NamespacedName, &svc); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var wg sync.WaitGroup
	versions := make([]string, len(svc.Spec.ExternalIPs))
	for i, ip := range svc.Spec.ExternalIPs {
		wg.Go(func() { versions[i] = r.lookUp(ctx, ip).version })
	}
	wg.Wait()
	svc.Annotations["versions"] = strings.Join(versions, ",")
	return ctrl.Result{}, r.Update(ctx, &svc)
}
