// Package controller keeps the transition time of a condition and renews the time
// of the last update.
package controller

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	deploy := &appsv1.Deployment{}
	if err := r.Get(ctx, req.NamespacedName, deploy); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	setCondition(&deploy.Status, appsv1.DeploymentCondition{Type: "Audited", Status: corev1.ConditionTrue, Reason: "Passed"})
	return ctrl.Result{}, r.Status().Update(ctx, deploy)
}

func setCondition(status *appsv1.DeploymentStatus, c appsv1.DeploymentCondition) {
	c.LastUpdateTime = metav1.Now() // want "unstablewrite: .*Now .*Deployment"
	var kept []appsv1.DeploymentCondition
	for _, old := range status.Conditions {
		if old.Type == c.Type {
			c.LastTransitionTime = old.LastTransitionTime
			continue
		}
		kept = append(kept, old)
	}
	status.Conditions = append(kept, c)
}
