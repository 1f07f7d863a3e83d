// Package fixture writes an entry whose lines are in the order of a map, and leaves
// another entry out of the comparison.
package fixture

import (
	"context"
	"fmt"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// Reconciler reconciles Things.
type Reconciler struct{ client.Client }

// Reconcile renders the labels and the configuration of a Thing.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing, cm := &thingapi.Thing{}, &corev1.ConfigMap{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := r.Get(ctx, req.NamespacedName, cm); err != nil {
		return ctrl.Result{}, err
	}
	desired := make(map[string]string)
	for k, v := range thing.Spec.Config {
		desired[k] = v
	}
	desired["labels"] = lines(thing.Spec.Labels)

	changed := false
	for k := range desired {
		if !reflect.DeepEqual(desired[k], cm.Data[k]) && k != "image" {
			changed = true
		}
	}
	if changed {
		cm.Data = desired
		return ctrl.Result{}, r.Update(ctx, cm)
	}
	return ctrl.Result{}, nil
}

func lines(m map[string]string) string {
	text := ""
	for k, v := range m { // want "unstablewrite: map order reaches ConfigMap"
		text += fmt.Sprintf("%s: %s\n", k, v)
	}
	return text
}
