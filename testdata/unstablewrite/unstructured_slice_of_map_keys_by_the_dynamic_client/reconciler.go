// Package controller edits a custom resource without Go types: the keys of a map
// become a list in its spec.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
	Dynamic dynamic.Interface
}

var pools = schema.GroupVersionResource{Group: "pools.example.com", Version: "v1", Resource: "pools"}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	pool, err := r.Dynamic.Resource(pools).Namespace(req.Namespace).Get(ctx, req.Name, metav1.GetOptions{})
	if err != nil {
		return ctrl.Result{}, err
	}
	var members []string
	for name := range thing.Spec.Config { // want "unstablewrite: map order "
		members = append(members, name)
	}
	if err := unstructured.SetNestedStringSlice(pool.Object, members, "spec", "members"); err != nil {
		return ctrl.Result{}, err
	}
	_, err = r.Dynamic.Resource(pools).Namespace(req.Namespace).Update(ctx, pool, metav1.UpdateOptions{})
	return ctrl.Result{}, err
}
