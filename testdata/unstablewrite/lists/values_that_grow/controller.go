// Package controller adds to what it has read: to a number, to a text, to its own version, and to a list by a
// helper that returns it.
package controller

import (
	"context"
	"fmt"
	"strconv"
	"sync"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// ReconcilesCounted counts its reconciles in an annotation.
type ReconcilesCounted struct {
	client.Client
}

func (r *ReconcilesCounted) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	n, _ := strconv.Atoi(thing.Annotations["reconciles"])
	thing.Annotations["reconciles"] = strconv.Itoa(n + 1) // want "unstablewrite: addition to the stored value reaches Thing metadata\\.annotations.reconciles. in Update .*; every reconcile adds to it"
	return ctrl.Result{}, r.Update(ctx, &thing)
}

// PhaseGrows makes the text of the phase longer.
type PhaseGrows struct {
	client.Client
}

func (r *PhaseGrows) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing.Status.Phase += ", checked" // want "unstablewrite: addition to the stored value reaches Thing status\\.phase in Update .*; every reconcile adds to it"
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// FailuresCounted counts what fails.
type FailuresCounted struct {
	client.Client
}

func (r *FailuresCounted) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := check(&thing); err != nil {
		thing.Status.ObservedGeneration++
		return ctrl.Result{}, r.Status().Update(ctx, &thing)
	}
	return ctrl.Result{}, nil
}

func check(thing *thingapi.Thing) error {
	_, err := strconv.Atoi(thing.Status.Hash)
	return err
}

// ConditionByHelper makes the list of conditions longer by a helper.
type ConditionByHelper struct {
	client.Client
}

func (r *ConditionByHelper) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing.Status.Conditions = with(thing.Status.Conditions, "Ready") // want "unstablewrite: append to the stored list reaches Thing status\\.conditions in Update .*; every reconcile makes it longer"
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func with(conditions []metav1.Condition, typ string) []metav1.Condition {
	return append(conditions, metav1.Condition{Type: typ, Status: metav1.ConditionTrue})
}

// ConditionReplaced leaves one condition of each type.
type ConditionReplaced struct {
	client.Client
}

func (r *ConditionReplaced) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing.Status.Conditions = with(without(thing.Status.Conditions, "Ready"), "Ready")
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func without(conditions []metav1.Condition, typ string) []metav1.Condition {
	var others []metav1.Condition
	for _, cond := range conditions {
		if cond.Type != typ {
			others = append(others, cond)
		}
	}
	return others
}

// OwnVersionRecorded records which version of itself it has seen last. Each write makes another one.
type OwnVersionRecorded struct {
	client.Client
}

func (r *OwnVersionRecorded) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing.Annotations["observed"] = thing.ResourceVersion // want "unstablewrite: the object's own resource version reaches Thing metadata\\.annotations.observed. in Update .*; every reconcile writes it again"
	return ctrl.Result{}, r.Update(ctx, &thing)
}

// OwnGenerationRecorded records which generation it has seen last. A write of the status, or of an
// annotation, makes none.
type OwnGenerationRecorded struct {
	client.Client
}

func (r *OwnGenerationRecorded) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing.Annotations["generation"] = strconv.FormatInt(thing.Generation, 10)
	return ctrl.Result{}, r.Update(ctx, &thing)
}

// RevisionInNewAnnotations counts in annotations that it makes anew.
type RevisionInNewAnnotations struct {
	client.Client
}

func (r *RevisionInNewAnnotations) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing.Annotations = withNextRevision(thing.Annotations)
	return ctrl.Result{}, r.Update(ctx, &thing)
}

func withNextRevision(stored map[string]string) map[string]string {
	n, err := strconv.Atoi(stored["revision"])
	if err != nil {
		n = 0
	}
	return map[string]string{"revision": strconv.Itoa(n + 1)} // want "unstablewrite: addition to the stored value reaches Thing metadata\\.annotations.revision. in Update .*; every reconcile adds to it"
}

// ReconcilesCountedInADryRun asks the API server what it would make of it, and keeps nothing.
type ReconcilesCountedInADryRun struct {
	client.Client
}

func (r *ReconcilesCountedInADryRun) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	n, _ := strconv.Atoi(thing.Annotations["reconciles"])
	thing.Annotations["reconciles"] = strconv.Itoa(n + 1)
	return ctrl.Result{}, r.Update(ctx, &thing, client.DryRunAll)
}

// RevisionMerged merges the annotation with the next revision and those that are stored. It wins.
type RevisionMerged struct {
	client.Client
}

func (r *RevisionMerged) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if controllerutil.AddFinalizer(&thing, "things.example.com/finalizer") {
		return ctrl.Result{}, r.Update(ctx, &thing)
	}
	owner, known := r.ownerOf(&thing)
	if !known {
		return ctrl.Result{}, fmt.Errorf("thing %s has no owner", thing.Name)
	}
	child := &thingapi.Thing{ObjectMeta: metav1.ObjectMeta{Name: owner, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrPatch(ctx, r.Client, child, func() error {
		child.Annotations = merged(withNextRevisionOf(child.Annotations), child.Annotations)
		return nil
	})
	return ctrl.Result{}, err
}

var owners sync.Map

func (r *RevisionMerged) ownerOf(thing *thingapi.Thing) (string, bool) {
	owner, ok := owners.Load(thing.Name)
	return fmt.Sprint(owner), ok
}

func withNextRevisionOf(stored map[string]string) map[string]string {
	n, _ := strconv.Atoi(stored["revision"])
	return map[string]string{"revision": strconv.Itoa(n + 1)} // want "unstablewrite: addition to the stored value reaches Thing metadata\\.annotations.revision. in CreateOrPatch .*; every reconcile adds to it"
}

// merged returns the entries of all maps. Those of the first one win.
func merged[K comparable, V any](first map[K]V, others ...map[K]V) map[K]V {
	all := make(map[K]V)
	for k, v := range first {
		all[k] = v
	}
	for _, other := range others {
		for k, v := range other {
			if _, ok := all[k]; !ok {
				all[k] = v
			}
		}
	}
	return all
}

// RevisionKept merges them too, but what is stored wins.
type RevisionKept struct {
	client.Client
}

func (r *RevisionKept) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	child := &thingapi.Thing{ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}}
	_, err := controllerutil.CreateOrPatch(ctx, r.Client, child, func() error {
		n, _ := strconv.Atoi(child.Annotations["revision"])
		child.Annotations = merged(child.Annotations, map[string]string{"revision": strconv.Itoa(n + 1)})
		return nil
	})
	return ctrl.Result{}, err
}

// RevisionUnderAKey asks a helper for the next revision, under the key that it names.
type RevisionUnderAKey struct {
	client.Client
}

func (r *RevisionUnderAKey) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing.Annotations["revision"] = nextRevision(&thing, "revision") // want "unstablewrite: addition to the stored value reaches Thing metadata\\.annotations.revision. in Update .*; every reconcile adds to it"
	thing.Annotations["next"] = nextRevision(&thing, "current")
	return ctrl.Result{}, r.Update(ctx, &thing)
}

// nextRevision returns the number after the one that the object has under the key.
func nextRevision(obj client.Object, key string) string {
	n, err := strconv.ParseUint(obj.GetAnnotations()[key], 10, 64)
	if err != nil {
		n = 0
	}
	return strconv.FormatUint(n+1, 10)
}

// CountedWithTheFinalizer counts how often it has added its finalizer.
type CountedWithTheFinalizer struct {
	client.Client
}

func (r *CountedWithTheFinalizer) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if controllerutil.AddFinalizer(&thing, "things.example.com/finalizer") {
		n, _ := strconv.Atoi(thing.Annotations["adopted"])
		thing.Annotations["adopted"] = strconv.Itoa(n + 1)
		return ctrl.Result{}, r.Update(ctx, &thing)
	}
	return ctrl.Result{}, nil
}
