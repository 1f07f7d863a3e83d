// Package controller counts up an Event that it wrote before.
package controller

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var ev corev1.Event
	err := r.Get(ctx, req.NamespacedName, &ev)
	if apierrors.IsNotFound(err) {
		ev = corev1.Event{
			ObjectMeta:     metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace},
			Reason:         "Seen",
			FirstTimestamp: metav1.Now(),
		}
		return ctrl.Result{}, r.Create(ctx, &ev)
	}
	if err != nil {
		return ctrl.Result{}, err
	}
	ev.Count++
	ev.LastTimestamp = metav1.Now()
	return ctrl.Result{}, r.Update(ctx, &ev)
}
