// Package fixture lists one predicate, and appends another one if a setting says so.
package fixture

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

// ThingReconciler reconciles Things.
type ThingReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

// Reconcile copies a Secret that a Thing refers to.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	secret := &corev1.Secret{}
	if err := r.Get(ctx, req.NamespacedName, secret); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	secret.Name += "-copy"
	return ctrl.Result{}, r.Update(ctx, secret)
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager, namespace string) error {
	predicates := []predicate.TypedPredicate[*corev1.Secret]{
		predicate.TypedGenerationChangedPredicate[*corev1.Secret]{},
	}
	if namespace != "" {
		predicates = append(predicates, predicate.NewTypedPredicateFuncs(func(secret *corev1.Secret) bool {
			return secret.Namespace == namespace
		}))
	}
	return ctrl.NewControllerManagedBy(mgr).
		Named("secrets").
		WatchesRawSource(source.Kind(mgr.GetCache(), &corev1.Secret{},
			&handler.TypedEnqueueRequestForObject[*corev1.Secret]{}, predicates...)). // want "blindpredicate: .*edits of corev1.Secret"
		Complete(r)
}
