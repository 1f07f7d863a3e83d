// Package controller binds a role to all service accounts that a helper of
// another package lists.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/unstablewrite/subjects_from_a_list_made_in_another_package/inventory"
	rbacv1 "k8s.io/api/rbac/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var binding rbacv1.RoleBinding
	if err := r.Get(ctx, req.NamespacedName, &binding); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	subjects, err := inventory.Subjects(ctx, r.Client, req.Namespace) // want "unstablewrite: .*RoleBinding"
	if err != nil {
		return ctrl.Result{}, err
	}
	binding.Subjects = subjects
	return ctrl.Result{}, r.Update(ctx, &binding)
}
