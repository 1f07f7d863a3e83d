// Package controller prints a map with fmt, which sorts the keys.
package controller

import (
	"context"
	"fmt"
	"hash/fnv"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
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
	var service corev1.Service
	if err := r.Get(ctx, req.NamespacedName, &service); err != nil {
		return ctrl.Result{}, err
	}
	h := fnv.New32a()
	fmt.Fprintf(h, "%v %s", thing.Spec.Config, labels.Set(thing.Spec.Labels))
	metav1.SetMetaDataAnnotation(&service.ObjectMeta, "config", fmt.Sprint(thing.Spec.Config))
	metav1.SetMetaDataAnnotation(&service.ObjectMeta, "config-hash", fmt.Sprintf("%08x", h.Sum32()))
	return ctrl.Result{}, r.Update(ctx, &service)
}
