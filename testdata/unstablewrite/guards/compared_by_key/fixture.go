// Package fixture compares all entries of a map but one.
package fixture

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// ComparedWithoutTheKeyThatDiffers writes an entry whose lines are in the order
// of a map, but compares all entries but that one, and that one without order.
type ComparedWithoutTheKeyThatDiffers struct{ client.Client }

// Reconcile renders the labels and the configuration of a Thing.
func (r *ComparedWithoutTheKeyThatDiffers) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

	changed := differ(cm.Data["labels"], thing.Spec.Labels)
	for k := range desired {
		if !reflect.DeepEqual(desired[k], cm.Data[k]) && k != "labels" {
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
	for k, v := range m {
		text += fmt.Sprintf("%s: %s\n", k, v)
	}
	return text
}

// differ reports whether the text has other lines than the map has entries.
func differ(text string, m map[string]string) bool {
	have := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(have) != len(m) {
		return true
	}
	set := make(map[string]bool)
	for _, line := range have {
		set[line] = true
	}
	for k, v := range m {
		if !set[fmt.Sprintf("%s: %s", k, v)] {
			return true
		}
	}
	return false
}

// ComparedWithoutAnotherKey writes an entry whose lines are in the order of a
// map, and leaves another entry out of the comparison.
type ComparedWithoutAnotherKey struct{ client.Client }

// Reconcile renders the labels and the configuration of a Thing.
func (r *ComparedWithoutAnotherKey) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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
	desired["labels"] = linesAndCount(thing.Spec.Labels)

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

func linesAndCount(m map[string]string) string {
	text := ""
	for k, v := range m { // want "unstablewrite: map order reaches ConfigMap"
		text += fmt.Sprintf("%s: %s\n", k, v)
	}
	return text
}
