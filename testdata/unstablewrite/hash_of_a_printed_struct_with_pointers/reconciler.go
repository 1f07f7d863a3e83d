// Package controller hashes what fmt prints of a struct; the pointer inside is
// printed as an address.
package controller

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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
	var deploy appsv1.Deployment
	if err := r.Get(ctx, req.NamespacedName, &deploy); err != nil {
		return ctrl.Result{}, err
	}
	sum := sha256.Sum256([]byte(fmt.Sprintf("%v", thing.Spec))) // want "unstablewrite: .*Deployment"
	metav1.SetMetaDataAnnotation(&deploy.Spec.Template.ObjectMeta, "spec-hash", hex.EncodeToString(sum[:8]))
	return ctrl.Result{}, r.Update(ctx, &deploy)
}
