// Package controller compares what it would write with what is stored.
package controller

import (
	"context"
	"maps"
	"reflect"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// StatusComparedBeforeItIsStamped compares the old and the new status without
// the time, and stamps what it writes.
type StatusComparedBeforeItIsStamped struct {
	client.Client
}

func (r *StatusComparedBeforeItIsStamped) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	status := thing.DeepCopy().Status
	status.Phase = "Ready"
	status.ObservedGeneration = thing.Generation
	if equality.Semantic.DeepEqual(thing.Status, status) {
		return ctrl.Result{}, nil
	}
	now := metav1.Now()
	status.LastSync = &now
	thing.Status = status
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// StampedAfterTheComparison edits a copy, leaves if that changed nothing, and
// stamps afterwards.
type StampedAfterTheComparison struct {
	client.Client
}

func (r *StampedAfterTheComparison) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	deploy := &appsv1.Deployment{}
	if err := r.Get(ctx, req.NamespacedName, deploy); err != nil {
		return ctrl.Result{}, err
	}
	old := deploy.DeepCopy()
	deploy.Spec.Replicas = thing.Spec.Replicas
	deploy.Spec.Template.Labels = thing.Spec.Labels
	if equality.Semantic.DeepEqual(old, deploy) {
		return ctrl.Result{}, nil
	}
	if deploy.Annotations == nil {
		deploy.Annotations = map[string]string{}
	}
	deploy.Annotations["things.example.com/changed"] = time.Now().Format(time.RFC3339)
	return ctrl.Result{}, r.Update(ctx, deploy)
}

// WriteGuardedByAChangedSpec updates, with a new time, only when the spec
// differs.
type WriteGuardedByAChangedSpec struct {
	client.Client
}

func (r *WriteGuardedByAChangedSpec) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, err
	}
	if maps.Equal(cm.Data, thing.Spec.Config) {
		return ctrl.Result{}, nil
	}
	cm.Data = maps.Clone(thing.Spec.Config)
	metav1.SetMetaDataAnnotation(&cm.ObjectMeta, "changed-at", time.Now().Format(time.RFC3339))
	return ctrl.Result{}, r.Update(ctx, &cm)
}

// ChangedFlagGuardsStampAndWrite remembers in a flag whether anything changed.
type ChangedFlagGuardsStampAndWrite struct {
	client.Client
}

func (r *ChangedFlagGuardsStampAndWrite) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	changed := meta.SetStatusCondition(&thing.Status.Conditions, metav1.Condition{
		Type:   "Ready",
		Status: metav1.ConditionTrue,
		Reason: "Reconciled",
	})
	if thing.Status.ReadyReplicas != *thing.Spec.Replicas {
		thing.Status.ReadyReplicas = *thing.Spec.Replicas
		changed = true
	}
	if !changed {
		return ctrl.Result{}, nil
	}
	now := metav1.Now()
	thing.Status.LastSync = &now
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// StatusComparedWithTheNewTimeInside skips the write when the status did not
// change, but has already put the time into it.
type StatusComparedWithTheNewTimeInside struct {
	client.Client
}

func (r *StatusComparedWithTheNewTimeInside) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	before := thing.DeepCopy()
	thing.Status.Phase = "Ready"
	thing.Status.LastSync = &metav1.Time{Time: time.Now()} // want "unstablewrite: time\\.Now .*Thing"
	if reflect.DeepEqual(before.Status, thing.Status) {
		return ctrl.Result{}, nil
	}
	return ctrl.Result{}, r.Status().Update(ctx, thing)
}

// ComparedAsOptionsAsk compares the annotations of ConfigMaps only if it is asked to.
type ComparedAsOptionsAsk struct {
	client.Client
}

type compareOption int

const (
	compareLabels compareOption = iota
	compareAnnotations
)

func sameConfig(stored, wanted *corev1.ConfigMap, options ...compareOption) bool {
	data, labels, annotations := reflect.DeepEqual(stored.Data, wanted.Data), true, true
	for _, option := range options {
		switch option {
		case compareLabels:
			labels = reflect.DeepEqual(stored.Labels, wanted.Labels)
		case compareAnnotations:
			annotations = reflect.DeepEqual(stored.Annotations, wanted.Annotations)
		}
	}
	return data && labels && annotations
}

func (r *ComparedAsOptionsAsk) apply(ctx context.Context, wanted *corev1.ConfigMap, options ...compareOption) error {
	stored := &corev1.ConfigMap{}
	if err := r.Get(ctx, client.ObjectKeyFromObject(wanted), stored); err != nil {
		return err
	}
	if sameConfig(stored, wanted, options...) {
		return nil
	}
	stored.Data, stored.Annotations = wanted.Data, wanted.Annotations
	return r.Update(ctx, stored)
}

func (r *ComparedAsOptionsAsk) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	settings := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}}
	settings.Annotations = map[string]string{"rendered-at": time.Now().Format(time.RFC3339)}
	if err := r.apply(ctx, settings, compareLabels); err != nil {
		return ctrl.Result{}, err
	}
	state := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: req.Name + "-state", Namespace: req.Namespace}}
	state.Data = map[string]string{"rendered-at": time.Now().Format(time.RFC3339)} // want "unstablewrite: time\\.Now .*ConfigMap"
	return ctrl.Result{}, r.apply(ctx, state)
}
