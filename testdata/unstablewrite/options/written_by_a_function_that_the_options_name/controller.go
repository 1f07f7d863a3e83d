// Package controller hands objects to an interface that is implemented
// elsewhere; that it writes them only the options know.
package controller

import (
	"context"
	"maps"
	"slices"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Store is implemented elsewhere.
type Store interface {
	Put(obj client.Object) (changed bool, err error)
	Log(obj client.Object)
}

type Reconciler struct {
	client.Reader
	Store Store
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	var args []string
	for name := range thing.Spec.Config { // want "unstablewrite: .*Pod spec.containers.args in Put"
		args = append(args, "--"+name)
	}
	pod.Spec.Containers = []corev1.Container{{Name: "thing", Args: args}}
	if _, err := r.Store.Put(pod); err != nil {
		return ctrl.Result{}, err
	}

	sorted := pod.DeepCopy()
	sorted.Spec.Containers[0].Args = slices.Sorted(maps.Keys(thing.Spec.Config))
	if _, err := r.Store.Put(sorted); err != nil {
		return ctrl.Result{}, err
	}

	logged := pod.DeepCopy()
	for name := range thing.Spec.Config {
		logged.Spec.Containers[0].Command = append(logged.Spec.Containers[0].Command, name)
	}
	r.Store.Log(logged)
	return ctrl.Result{}, nil
}
