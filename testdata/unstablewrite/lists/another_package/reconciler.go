// Package controller lists and sorts with other packages.
package controller

import (
	"context"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/unstablewrite/lists/another_package/inventory"
	"github.com/operatorvet/operatorvet/testdata/unstablewrite/lists/another_package/podutil"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// ItemsSortedByAHelperThatTakesTheList hands a cached list to a helper of
// another package, which sorts its items.
type ItemsSortedByAHelperThatTakesTheList struct {
	client.Client
}

func (r *ItemsSortedByAHelperThatTakesTheList) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	pods := &corev1.PodList{}
	if err := r.List(ctx, pods, client.InNamespace(req.Namespace)); err != nil {
		return ctrl.Result{}, err
	}
	podutil.SortByName(pods)
	var addresses []string
	for i := range pods.Items {
		addresses = append(addresses, pods.Items[i].Status.PodIP)
	}
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, cm, func() error {
		cm.Data = map[string]string{"peers": strings.Join(addresses, " ")}
		return nil
	})
	return ctrl.Result{}, err
}

// SubjectsFromAListMadeInAnotherPackage binds a role to all service accounts
// that a helper of another package lists.
type SubjectsFromAListMadeInAnotherPackage struct {
	client.Client
}

func (r *SubjectsFromAListMadeInAnotherPackage) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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
