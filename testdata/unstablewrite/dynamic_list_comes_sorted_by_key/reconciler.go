// Package controller lists with the dynamic client, which has no cache.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
	Dynamic dynamic.Interface
}

var widgets = schema.GroupVersionResource{Group: "widgets.example.com", Version: "v1", Resource: "widgets"}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	list, err := r.Dynamic.Resource(widgets).Namespace(req.Namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return ctrl.Result{}, err
	}
	members := make([]string, 0, len(list.Items))
	for _, item := range list.Items {
		members = append(members, item.GetName())
	}
	thing.Status.Members = members
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
