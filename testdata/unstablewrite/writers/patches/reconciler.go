// Package controller sends patches that it applies or writes by hand.
package controller

import (
	"context"
	"fmt"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// TimeStampedAnnotationUnderApply stamps what it applies with the time of day,
// so that each server-side apply is a change.
type TimeStampedAnnotationUnderApply struct {
	client.Client
}

func (r *TimeStampedAnnotationUnderApply) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	cm := &corev1.ConfigMap{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
		ObjectMeta: metav1.ObjectMeta{
			Name:      thing.Name,
			Namespace: thing.Namespace,
			Annotations: map[string]string{
				"things.example.com/last-applied": time.Now().Format(time.RFC3339), // want "unstablewrite: time\\.Now .*ConfigMap"
			},
		},
		Data: thing.Spec.Config,
	}
	return ctrl.Result{}, r.Patch(ctx, cm, client.Apply, client.FieldOwner("thing"), client.ForceOwnership)
}

// StampInARawJSONPatch writes a patch by hand, with the time inside.
type StampInARawJSONPatch struct {
	client.Client
}

func (r *StampInARawJSONPatch) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var node corev1.Node
	if err := r.Get(ctx, req.NamespacedName, &node); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	stamp := time.Now().Unix() // want "unstablewrite: time\\.Now .*Node"
	patch := fmt.Appendf(nil, `{"metadata":{"annotations":{"things.example.com/labelled":"%d"}}}`, stamp)
	return ctrl.Result{}, r.Patch(ctx, &node, client.RawPatch(types.MergePatchType, patch))
}
