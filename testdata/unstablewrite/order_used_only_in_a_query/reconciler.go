// Package controller makes a selector from a map, for reading.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
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
	selector := &metav1.LabelSelector{}
	for key, value := range thing.Spec.Labels {
		selector.MatchExpressions = append(selector.MatchExpressions, metav1.LabelSelectorRequirement{
			Key: key, Operator: metav1.LabelSelectorOpIn, Values: []string{value},
		})
	}
	matching, err := metav1.LabelSelectorAsSelector(selector)
	if err != nil {
		return ctrl.Result{}, err
	}
	var pods corev1.PodList
	if err := r.List(ctx, &pods, client.MatchingLabelsSelector{Selector: matching}); err != nil {
		return ctrl.Result{}, err
	}
	thing.Status.ReadyReplicas = int32(len(pods.Items))
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
