// Package controller writes the addresses of pods in the order in which the
// cache lists them, which is a map's.
package controller

import (
	"context"
	"strings"

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
	var pods corev1.PodList
	if err := r.List(ctx, &pods, client.InNamespace(req.Namespace)); err != nil { // want "unstablewrite: list order .*ConfigMap"
		return ctrl.Result{}, err
	}
	var seeds []string
	for _, pod := range pods.Items {
		seeds = append(seeds, pod.Status.PodIP+":7000")
	}
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, cm, func() error {
		cm.Data = map[string]string{"seeds": strings.Join(seeds, ",")}
		return nil
	})
	return ctrl.Result{}, err
}
