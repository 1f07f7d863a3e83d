// Package controller puts the time into annotations.
package controller

import (
	"context"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// AsksForAReload tells those who mount the ConfigMap to look at it again. No event of
// it reaches this controller.
type AsksForAReload struct {
	client.Client
}

func (r *AsksForAReload) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	metav1.SetMetaDataAnnotation(&cm.ObjectMeta, "example.com/reload-at", time.Now().String())
	return ctrl.Result{}, r.Update(ctx, &cm)
}

func (r *AsksForAReload) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Complete(r)
}

// AsksEachForAReload does so for copies of what it has listed.
type AsksEachForAReload struct {
	client.Client
}

func (r *AsksEachForAReload) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var list corev1.ConfigMapList
	if err := r.List(ctx, &list); err != nil {
		return ctrl.Result{}, err
	}
	for _, cm := range selected(&list) {
		metav1.SetMetaDataAnnotation(&cm.ObjectMeta, "example.com/reload-at", time.Now().String())
		if err := r.Update(ctx, cm); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

func selected(list *corev1.ConfigMapList) []*corev1.ConfigMap {
	var all []*corev1.ConfigMap
	for _, cm := range list.Items {
		if cm.Labels["example.com/reloads"] != "" {
			all = append(all, &cm)
		}
	}
	return all
}

func (r *AsksEachForAReload) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Complete(r)
}

// AsksItselfForAReload is woken by what it writes.
type AsksItselfForAReload struct {
	client.Client
}

func (r *AsksItselfForAReload) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	metav1.SetMetaDataAnnotation(&cm.ObjectMeta, "example.com/reload-at", time.Now().String()) // want "unstablewrite: time.Now reaches ConfigMap metadata.annotations"
	return ctrl.Result{}, r.Update(ctx, &cm)
}

func (r *AsksItselfForAReload) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}).
		Complete(r)
}

// MarksWhatItReconciles leaves a note for people. Its predicate drops the event.
type MarksWhatItReconciles struct {
	client.Client
}

func (r *MarksWhatItReconciles) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	metav1.SetMetaDataAnnotation(&thing.ObjectMeta, "example.com/seen-at", time.Now().String())
	return ctrl.Result{}, r.Update(ctx, &thing)
}

func (r *MarksWhatItReconciles) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Complete(r)
}

// RestartsOnEachReconcile changes the pods' template, whoever sees the event.
type RestartsOnEachReconcile struct {
	client.Client
}

func (r *RestartsOnEachReconcile) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var d appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &d); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	metav1.SetMetaDataAnnotation(&d.Spec.Template.ObjectMeta, "example.com/restarted-at", time.Now().String()) // want "unstablewrite: time.Now reaches Deployment spec.template"
	return ctrl.Result{}, r.Update(ctx, &d)
}

func (r *RestartsOnEachReconcile) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Complete(r)
}
