// Package controller names keys in an event; events are no managed state.
package controller

import (
	"context"
	"strings"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
	Recorder record.EventRecorder
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var unused []string
	for key := range thing.Spec.Config {
		if strings.HasPrefix(key, "_") {
			unused = append(unused, key)
		}
	}
	if len(unused) > 0 {
		r.Recorder.Eventf(&thing, corev1.EventTypeWarning, "Unused", "at %s: %s", time.Now(), strings.Join(unused, ", "))
	}
	thing.Status.ObservedGeneration = thing.Generation
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
