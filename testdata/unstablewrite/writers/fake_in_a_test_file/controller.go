// Package controller signs what it writes by an interface of its own, of which
// there is one implementation, and a fake for tests. What the tests do is not
// looked at.
package controller

import (
	"context"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type signer interface {
	sign(*corev1.ConfigMap)
}

type dated struct{}

func (dated) sign(cm *corev1.ConfigMap) {
	cm.Annotations = map[string]string{"signed": time.Now().String()} // want "unstablewrite: .*time.Now .*ConfigMap"
}

type Reconciler struct {
	client.Client
	signer signer
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	cm := &corev1.ConfigMap{}
	cm.Name, cm.Namespace = thing.Name, thing.Namespace
	r.signer.sign(cm)
	return ctrl.Result{}, r.Update(ctx, cm)
}
