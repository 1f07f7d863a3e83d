// Package controller puts the unsorted list of an old-style string set into a
// hash.
package controller

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"k8s.io/apimachinery/pkg/util/sets"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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
