// Package controller restarts pods by a stamp, in a helper that it calls only
// when the hash of the configuration is new.
package controller

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
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
	raw, err := json.Marshal(thing.Spec.Config)
	if err != nil {
		return ctrl.Result{}, err
	}
	sum := sha256.Sum256(raw)
	hash := hex.EncodeToString(sum[:])
	if thing.Status.Hash == hash {
		return ctrl.Result{}, nil
	}
	if err := r.restart(ctx, req); err != nil {
		return ctrl.Result{}, err
	}
	thing.Status.Hash = hash
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func (r *Reconciler) restart(ctx context.Context, req ctrl.Request) error {
	var sts appsv1.StatefulSet
	if err := r.Get(ctx, req.NamespacedName, &sts); err != nil {
		return err
	}
	if sts.Spec.Template.Annotations == nil {
		sts.Spec.Template.Annotations = make(map[string]string)
	}
	sts.Spec.Template.Annotations["kubectl.kubernetes.io/restartedAt"] = time.Now().Format(time.RFC3339)
	return r.Update(ctx, &sts)
}
