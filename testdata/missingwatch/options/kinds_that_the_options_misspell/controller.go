// Package fixture creates objects of three kinds and watches none of them. The options
// are to say that this is fine, and name the first in the plural, and the second in
// another group. They name no kind like the third.
package fixture

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// ThingReconciler reconciles Things.
type ThingReconciler struct {
	client.Client
}

// Reconcile brings the cluster in line with a Thing.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	meta := metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}
	for _, obj := range []client.Object{
		&corev1.ConfigMap{ObjectMeta: meta},
		&corev1.Secret{ObjectMeta: meta},
		&corev1.Service{ObjectMeta: meta},
	} {
		if err := client.IgnoreAlreadyExists(r.Create(ctx, obj)); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: .*Secret .*; missingwatch.ignore-kinds names Secrets instead" "missingwatch: .*ConfigMap .*; missingwatch.ignore-kinds names apps/ConfigMap instead" "missingwatch: .*Service [^;]*; [^;]*$"
}
