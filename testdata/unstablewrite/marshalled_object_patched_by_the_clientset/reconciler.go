// Package controller marshals a desired object and applies the bytes through a
// typed clientset.
package controller

import (
	"context"
	"encoding/json"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"
)

type Reconciler struct {
	Clientset kubernetes.Interface
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	cm := &corev1.ConfigMap{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
		ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace},
		Data:       map[string]string{"generated": time.Now().Format(time.RFC1123)}, // want "unstablewrite: time\\.Now "
	}
	raw, err := json.Marshal(cm)
	if err != nil {
		return ctrl.Result{}, err
	}
	_, err = r.Clientset.CoreV1().ConfigMaps(req.Namespace).
		Patch(ctx, req.Name, types.ApplyPatchType, raw, metav1.PatchOptions{FieldManager: "thing"})
	return ctrl.Result{}, err
}
