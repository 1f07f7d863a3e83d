// Package controller makes maps of a cached list.
package controller

import (
	"context"
	"strconv"

	"github.com/samber/lo"
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
	var nodes corev1.NodeList
	if err := r.List(ctx, &nodes); err != nil {
		return ctrl.Result{}, err
	}
	zones := lo.SliceToMap(nodes.Items, func(n corev1.Node) (string, string) {
		return n.Name, n.Labels[corev1.LabelTopologyZone]
	})
	ready := make(map[string]string, len(nodes.Items))
	for _, node := range nodes.Items {
		ready[node.Name+".ready"] = strconv.FormatBool(!node.Spec.Unschedulable)
	}
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, cm, func() error {
		cm.Labels = zones
		cm.Data = ready
		return nil
	})
	return ctrl.Result{}, err
}
