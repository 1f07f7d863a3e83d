// Package controller hands a cached list to a helper of another package, which
// sorts its items.
package controller

import (
	"context"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/unstablewrite/items_sorted_by_a_helper_that_takes_the_list/podutil"
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
	pods := &corev1.PodList{}
	if err := r.List(ctx, pods, client.InNamespace(req.Namespace)); err != nil {
		return ctrl.Result{}, err
	}
	podutil.SortByName(pods)
	var addresses []string
	for i := range pods.Items {
		addresses = append(addresses, pods.Items[i].Status.PodIP)
	}
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, cm, func() error {
		cm.Data = map[string]string{"peers": strings.Join(addresses, " ")}
		return nil
	})
	return ctrl.Result{}, err
}
