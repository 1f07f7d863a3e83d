// Package controller collects names in map order for a log line and an error;
// neither is written to the cluster.
package controller

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var unknown []string
	for key := range thing.Spec.Config {
		if strings.Contains(key, " ") {
			unknown = append(unknown, key)
		}
	}
	if len(unknown) > 0 {
		log.FromContext(ctx).Info("keys with spaces", "keys", unknown)
		thing.Status.Phase = "Invalid"
		return ctrl.Result{}, errors.Join(fmt.Errorf("bad keys: %v", unknown), r.Status().Update(ctx, &thing))
	}
	thing.Status.Phase = "Valid"
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
