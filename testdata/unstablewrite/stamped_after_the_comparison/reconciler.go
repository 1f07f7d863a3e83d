// Package controller edits a copy, leaves if that changed nothing, and stamps
// afterwards.
package controller

import (
	"context"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/api/equality"
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
	deploy := &appsv1.Deployment{}
	if err := r.Get(ctx, req.NamespacedName, deploy); err != nil {
		return ctrl.Result{}, err
	}
	old := deploy.DeepCopy()
	deploy.Spec.Replicas = thing.Spec.Replicas
	deploy.Spec.Template.Labels = thing.Spec.Labels
	if equality.Semantic.DeepEqual(old, deploy) {
		return ctrl.Result{}, nil
	}
	if deploy.Annotations == nil {
		deploy.Annotations = map[string]string{}
	}
	deploy.Annotations["things.example.com/changed"] = time.Now().Format(time.RFC3339)
	return ctrl.Result{}, r.Update(ctx, deploy)
}
