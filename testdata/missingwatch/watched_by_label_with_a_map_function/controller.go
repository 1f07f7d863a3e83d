// Package fixture cannot own a ClusterRole from a namespaced Thing; it watches the
// kind and maps it back by its labels.
package fixture

import (
	"context"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// ThingReconciler reconciles Things.
type ThingReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

const (
	nameLabel      = "things.example.com/name"
	namespaceLabel = "things.example.com/namespace"
)

// Reconcile brings the cluster in line with a Thing.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	role := &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: thing.Namespace + "-" + thing.Name}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, role, func() error {
		role.Labels = map[string]string{nameLabel: thing.Name, namespaceLabel: thing.Namespace}
		role.Rules = []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"nodes"}, Verbs: []string{"get"}}}
		return nil
	})
	return ctrl.Result{}, err
}

func thingOfLabels(_ context.Context, obj client.Object) []reconcile.Request {
	name, ok := obj.GetLabels()[nameLabel]
	if !ok {
		return nil
	}
	key := types.NamespacedName{Namespace: obj.GetLabels()[namespaceLabel], Name: name}
	return []reconcile.Request{{NamespacedName: key}}
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Watches(&rbacv1.ClusterRole{}, handler.EnqueueRequestsFromMapFunc(thingOfLabels)).
		Complete(r)
}
