// Package controller counts the elements of a map and compares the count with the
// length.
package controller

import (
	"context"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// CountsWhatSucceeds tells which probes fail as long as one does.
type CountsWhatSucceeds struct {
	client.Client
	Probes map[string]func() error
}

func (r *CountsWhatSucceeds) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	succeeded := 0
	var failed []string
	for name, probe := range r.Probes { // want "unstablewrite: map order reaches Thing status.phase"
		if err := probe(); err != nil {
			failed = append(failed, name)
			continue
		}
		succeeded++
	}
	if succeeded != len(r.Probes) {
		thing.Status.Phase = strings.Join(failed, ",")
	}
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

// CountsWhatIsStored writes the names of all that it wants where something is missing.
type CountsWhatIsStored struct {
	client.Client
}

func (r *CountsWhatIsStored) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	stored := 0
	var names []string
	for name, value := range thing.Spec.Config {
		names = append(names, name)
		if thing.Annotations[name] == value {
			stored++
		}
	}
	if stored == len(thing.Spec.Config) {
		return ctrl.Result{}, nil
	}
	thing.Annotations = make(map[string]string)
	for name, value := range thing.Spec.Config {
		thing.Annotations[name] = value
	}
	thing.Annotations["things.example.com/names"] = strings.Join(names, ",")
	return ctrl.Result{}, r.Update(ctx, &thing)
}
