// Package controller decides outside whether a restart is due and stamps inside
// the mutate function.
package controller

import (
	"context"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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
	restart := false
	if thing.Status.ObservedGeneration != thing.Generation {
		restart = true
	}
	deploy := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	if _, err := controllerutil.CreateOrUpdate(ctx, r.Client, deploy, func() error {
		deploy.Spec.Replicas = thing.Spec.Replicas
		if restart {
			metav1.SetMetaDataAnnotation(&deploy.Spec.Template.ObjectMeta, "restarted-at", time.Now().Format(time.RFC3339))
		}
		return nil
	}); err != nil {
		return ctrl.Result{}, err
	}
	thing.Status.ObservedGeneration = thing.Generation
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
