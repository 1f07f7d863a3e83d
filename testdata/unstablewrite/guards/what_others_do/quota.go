// Package quota has reconcilers that wait for what others do.
package quota

import (
	"context"
	"errors"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Reconciler fails while there are pods, which it never writes.
type Reconciler struct{ client.Client }

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	quota := &corev1.ResourceQuota{}
	if err := r.Get(ctx, req.NamespacedName, quota); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var pods corev1.PodList
	if err := r.List(ctx, &pods, client.InNamespace(req.Namespace)); err != nil {
		return ctrl.Result{}, err
	}
	if len(pods.Items) > 0 {
		return ctrl.Result{}, errors.New("there are pods without a quota")
	}
	if quota.Annotations == nil {
		quota.Annotations = make(map[string]string)
	}
	quota.Annotations["example.com/checked"] = time.Now().String() // want "unstablewrite: time.Now"
	return ctrl.Result{}, r.Update(ctx, quota)
}

func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.ResourceQuota{}).Complete(r)
}

// Old looks at how old a Deployment is.
type Old struct{ client.Client }

func (r *Old) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	quota := &corev1.ResourceQuota{}
	if err := r.Get(ctx, req.NamespacedName, quota); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	deployment := &appsv1.Deployment{}
	if err := r.Get(ctx, req.NamespacedName, deployment); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if quota.Annotations == nil {
		quota.Annotations = make(map[string]string)
	}
	if age := time.Since(deployment.CreationTimestamp.Time); age > time.Hour { // want "unstablewrite: time.Since"
		quota.Annotations["example.com/age"] = age.String()
	}
	return ctrl.Result{}, r.Update(ctx, quota)
}

func (r *Old) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.ResourceQuota{}).Complete(r)
}

// Deleting deletes a pod that is old, so that the time is written once.
type Deleting struct{ client.Client }

func (r *Deleting) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	quota := &corev1.ResourceQuota{}
	if err := r.Get(ctx, req.NamespacedName, quota); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	pod := &corev1.Pod{}
	if err := r.Get(ctx, req.NamespacedName, pod); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if time.Since(pod.CreationTimestamp.Time) < time.Hour {
		return ctrl.Result{RequeueAfter: time.Second}, nil
	}
	if err := r.Delete(ctx, pod); err != nil {
		return ctrl.Result{}, err
	}
	if quota.Annotations == nil {
		quota.Annotations = make(map[string]string)
	}
	quota.Annotations["example.com/evicted"] = time.Now().String()
	return ctrl.Result{}, r.Update(ctx, quota)
}

func (r *Deleting) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.ResourceQuota{}).Complete(r)
}
