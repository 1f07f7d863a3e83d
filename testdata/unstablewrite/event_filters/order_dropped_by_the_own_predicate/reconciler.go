// Package controller writes names in the order of a map into the status; its own
// predicate drops the event that this causes. In the spec of another object, the
// order restarts pods.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var conditions []metav1.Condition
	for name := range thing.Spec.Config {
		conditions = append(conditions, metav1.Condition{Type: name, Status: metav1.ConditionTrue, Reason: "Read"})
	}
	thing.Status.Conditions = conditions
	if err := r.Status().Update(ctx, &thing); err != nil {
		return ctrl.Result{}, err
	}

	var pod corev1.Pod
	if err := r.Get(ctx, req.NamespacedName, &pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var tolerations []corev1.Toleration
	for name := range thing.Spec.Config { // want "unstablewrite: .*Pod spec.tolerations"
		tolerations = append(tolerations, corev1.Toleration{Key: name})
	}
	pod.Spec.Tolerations = tolerations
	return ctrl.Result{}, r.Update(ctx, &pod)
}

func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Complete(r)
}
