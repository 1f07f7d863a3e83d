// Package fixture labels the Nodes that it finds in a list, and updates a
// ServiceAccount that the user made.
package fixture

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// ThingReconciler reconciles Things.
type ThingReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

// Reconcile brings the cluster in line with a Thing.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	nodes := &corev1.NodeList{}
	if err := r.List(ctx, nodes, client.MatchingLabels(thing.Spec.Labels)); err != nil {
		return ctrl.Result{}, err
	}
	for i := range nodes.Items {
		node := &nodes.Items[i]
		if node.Labels["things.example.com/name"] == thing.Name {
			continue
		}
		before := node.DeepCopy()
		node.Labels["things.example.com/name"] = thing.Name
		if err := r.Patch(ctx, node, client.StrategicMergeFrom(before)); err != nil {
			return ctrl.Result{}, err
		}
	}
	account := &corev1.ServiceAccount{}
	if err := r.Get(ctx, client.ObjectKey{Namespace: thing.Namespace, Name: thing.Spec.TargetRef}, account); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	account.ImagePullSecrets = []corev1.LocalObjectReference{{Name: thing.Spec.SecretRef}}
	return ctrl.Result{}, r.Update(ctx, account)
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}
