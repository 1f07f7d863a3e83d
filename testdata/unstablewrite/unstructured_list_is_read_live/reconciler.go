// Package controller lists unstructured objects, which the manager's client
// reads from the API server unless told otherwise.
package controller

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
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
	widgets := &unstructured.UnstructuredList{}
	widgets.SetGroupVersionKind(schema.GroupVersionKind{Group: "widgets.example.com", Version: "v1", Kind: "WidgetList"})
	if err := r.List(ctx, widgets, client.InNamespace(req.Namespace)); err != nil {
		return ctrl.Result{}, err
	}
	thing.Status.Members = nil
	for _, widget := range widgets.Items {
		thing.Status.Members = append(thing.Status.Members, widget.GetName())
	}
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}
