// Package controller gets volumes in map order from a helper of another package
// and sorts them itself.
package controller

import (
	"cmp"
	"context"
	"slices"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"github.com/operatorvet/operatorvet/testdata/unstablewrite/volumes_sorted_by_the_caller/resources"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
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
	volumes := resources.Volumes(&thing)
	slices.SortFunc(volumes, func(a, b corev1.Volume) int { return cmp.Compare(a.Name, b.Name) })

	var sts appsv1.StatefulSet
	if err := r.Get(ctx, req.NamespacedName, &sts); err != nil {
		return ctrl.Result{}, err
	}
	sts.Spec.Template.Spec.Volumes = volumes
	return ctrl.Result{}, r.Update(ctx, &sts)
}
