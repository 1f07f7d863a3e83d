// Package controller applies an unstructured object whose containers come out of
// a map.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var subjects []any
	for user := range thing.Spec.Config { // want "unstablewrite: map order "
		subjects = append(subjects, map[string]any{"kind": "User", "name": user})
	}
	binding := &unstructured.Unstructured{}
	binding.SetAPIVersion("rbac.authorization.k8s.io/v1")
	binding.SetKind("RoleBinding")
	binding.SetName(thing.Name)
	binding.SetNamespace(thing.Namespace)
	if err := unstructured.SetNestedSlice(binding.Object, subjects, "subjects"); err != nil {
		return ctrl.Result{}, err
	}
	config := client.ApplyConfigurationFromUnstructured(binding)
	return ctrl.Result{}, r.Apply(ctx, config, client.FieldOwner("thing"))
}
