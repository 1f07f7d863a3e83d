// Package controller applies a label with the time through the typed clientset.
package controller

import (
	"context"
	"strconv"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"
)

type Reconciler struct {
	Clientset kubernetes.Interface
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	config := corev1ac.ConfigMap(req.Name, req.Namespace).
		WithData(map[string]string{"mode": "active"}).
		WithAnnotations(map[string]string{
			"things.example.com/applied": strconv.FormatInt(time.Now().UnixMilli(), 36), // want "unstablewrite: time\\.Now .*ConfigMap"
		})
	_, err := r.Clientset.CoreV1().ConfigMaps(req.Namespace).Apply(ctx, config, metav1.ApplyOptions{FieldManager: "thing"})
	return ctrl.Result{}, err
}
