// Package fixture applies two apply configurations, one through the client and one
// through a clientset; both kinds are owned.
package fixture

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"
	metav1ac "k8s.io/client-go/applyconfigurations/meta/v1"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// ThingReconciler reconciles Things.
type ThingReconciler struct {
	client.Client
	Kube kubernetes.Interface
}

// Reconcile brings the cluster in line with a Thing.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	owner := metav1ac.OwnerReference().
		WithAPIVersion(thingapi.GroupVersion.String()).
		WithKind("Thing").
		WithName(thing.Name).
		WithUID(thing.UID).
		WithController(true)
	config := corev1ac.ConfigMap(thing.Name, thing.Namespace).
		WithOwnerReferences(owner).
		WithData(thing.Spec.Config)
	if err := r.Apply(ctx, config, client.FieldOwner("thing"), client.ForceOwnership); err != nil {
		return ctrl.Result{}, err
	}
	account := corev1ac.ServiceAccount(thing.Name, thing.Namespace)
	account.WithOwnerReferences(owner)
	_, err := r.Kube.CoreV1().ServiceAccounts(thing.Namespace).
		Apply(ctx, account, metav1.ApplyOptions{FieldManager: "thing", Force: true})
	return ctrl.Result{}, err
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}).
		Owns(&corev1.ServiceAccount{}).
		Complete(r)
}
