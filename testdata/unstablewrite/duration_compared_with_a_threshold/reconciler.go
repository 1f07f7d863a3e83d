// Package controller measures how long a pod is pending, to decide.
package controller

import (
	"context"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var pod corev1.Pod
	if err := r.Get(ctx, req.NamespacedName, &pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	stuck := pod.Status.Phase == corev1.PodPending && time.Since(pod.CreationTimestamp.Time) > 5*time.Minute
	base := pod.DeepCopy()
	metav1.SetMetaDataLabel(&pod.ObjectMeta, "things.example.com/stuck", strconv.FormatBool(stuck))
	return ctrl.Result{}, r.Patch(ctx, &pod, client.MergeFrom(base))
}
