// Package controller lists with a typed clientset: the API server answers in the
// order of the keys.
package controller

import (
	"context"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

type Reconciler struct {
	client.Client
	Clientset kubernetes.Interface
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pods, err := r.Clientset.CoreV1().Pods(req.Namespace).List(ctx, metav1.ListOptions{LabelSelector: "app=" + req.Name})
	if err != nil {
		return ctrl.Result{}, err
	}
	var names []string
	for _, pod := range pods.Items {
		names = append(names, pod.Name)
	}
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}}
	_, err = controllerutil.CreateOrUpdate(ctx, r.Client, cm, func() error {
		cm.Data = map[string]string{"pods": strings.Join(names, "\n")}
		return nil
	})
	return ctrl.Result{}, err
}
