// Package controller merges maps; a map has no order to lose.
package controller

import (
	"context"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
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
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, cm, func() error {
		cm.Labels = mergeLabels(cm.Labels, thing.Spec.Labels)
		if cm.Data == nil {
			cm.Data = make(map[string]string)
		}
		for key, value := range thing.Spec.Config {
			cm.Data[key+".conf"] = strings.TrimSpace(value)
		}
		return nil
	})
	return ctrl.Result{}, err
}

func mergeLabels(all ...map[string]string) map[string]string {
	merged := map[string]string{}
	for _, labels := range all {
		for k, v := range labels {
			merged[k] = v
		}
	}
	return merged
}
