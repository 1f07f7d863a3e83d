// Package controller asks functions of another package whether something has
// changed, and stamps in one case what has not.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"github.com/operatorvet/operatorvet/testdata/unstablewrite/stamp_where_an_own_predicate_finds_no_change/state"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Syncer stamps each pass but the first after a change.
type Syncer struct {
	client.Client
}

func (r *Syncer) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	hash := state.Hash(&thing)
	if state.Moved(&thing, hash) {
		thing.Status.Hash = ""
		return ctrl.Result{}, r.Status().Update(ctx, &thing)
	}
	var parts thingapi.PartList
	if err := r.List(ctx, &parts); err != nil {
		return ctrl.Result{}, err
	}
	success := true
	for i := range parts.Items {
		if parts.Items[i].Namespace != thing.Namespace && thing.Spec.Paused {
			continue
		}
		if err := r.Patch(ctx, parts.Items[i].DeepCopy(), client.Merge); err != nil {
			success = false
		}
	}
	if success {
		now := metav1.Now() // want "unstablewrite: metav1.Now reaches Thing status.lastSync"
		thing.Status.Hash = hash
		thing.Status.LastSync = &now
		return ctrl.Result{}, r.Status().Update(ctx, &thing)
	}
	return ctrl.Result{Requeue: true}, nil
}

// Stamper stamps changes.
type Stamper struct {
	client.Client
}

func (r *Stamper) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	hash := state.Hash(&thing)
	if state.Moved(&thing, hash) || state.Fresh(&thing) {
		now := metav1.Now()
		thing.Status.Hash = hash
		thing.Status.LastSync = &now
	}
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
