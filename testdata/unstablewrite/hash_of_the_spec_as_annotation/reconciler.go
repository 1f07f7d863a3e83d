// Package controller hashes a spec, which changes when the spec does.
package controller

import (
	"context"
	"encoding/json"
	"hash/fnv"
	"strconv"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilrand "k8s.io/apimachinery/pkg/util/rand"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	raw, err := json.Marshal(thing.Spec)
	if err != nil {
		return ctrl.Result{}, err
	}
	h := fnv.New32a()
	h.Write(raw)
	hash := utilrand.SafeEncodeString(strconv.FormatUint(uint64(h.Sum32()), 10))

	deploy := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err = controllerutil.CreateOrUpdate(ctx, r.Client, deploy, func() error {
		metav1.SetMetaDataAnnotation(&deploy.ObjectMeta, "things.example.com/hash", hash)
		return nil
	})
	return ctrl.Result{}, err
}
