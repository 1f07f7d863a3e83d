// Package fixture is for ConfigMaps, and never hears of an edited one.
package fixture

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// ConfigReconciler keeps a checksum of each ConfigMap.
type ConfigReconciler struct {
	client.Client
}

// Reconcile writes the checksum.
func (r *ConfigReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	config := &corev1.ConfigMap{}
	if err := r.Get(ctx, req.NamespacedName, config); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	sum := fmt.Sprint(len(config.Data))
	if config.Annotations["checksum"] == sum {
		return ctrl.Result{}, nil
	}
	before := config.DeepCopy()
	metav1.SetMetaDataAnnotation(&config.ObjectMeta, "checksum", sum)
	return ctrl.Result{}, r.Patch(ctx, config, client.MergeFrom(before))
}

// SetupWithManager registers the controller.
func (r *ConfigReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&corev1.ConfigMap{}).
		WithEventFilter(predicate.GenerationChangedPredicate{}). // want "blindpredicate: .*edits of corev1.ConfigMap"
		Complete(r)
}
