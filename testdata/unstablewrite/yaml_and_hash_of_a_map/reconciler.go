// Package controller marshals a map to YAML and hashes the bytes; both are the
// same for the same map.
package controller

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/yaml"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	raw, err := yaml.Marshal(thing.Spec.Config)
	if err != nil {
		return ctrl.Result{}, err
	}
	sum := sha256.Sum256(raw)
	deploy := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err = controllerutil.CreateOrUpdate(ctx, r.Client, deploy, func() error {
		metav1.SetMetaDataAnnotation(&deploy.Spec.Template.ObjectMeta, "config-hash", hex.EncodeToString(sum[:]))
		return nil
	})
	return ctrl.Result{}, err
}
