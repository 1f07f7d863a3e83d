// Package controller renders extra flags in map order and updates through a
// typed clientset.
package controller

import (
	"context"
	"fmt"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
	Clientset kubernetes.Interface
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	daemonSets := r.Clientset.AppsV1().DaemonSets(req.Namespace)
	ds, err := daemonSets.Get(ctx, req.Name, metav1.GetOptions{})
	if err != nil {
		return ctrl.Result{}, err
	}
	ds.Spec.Template.Spec.Containers[0].Args = buildArgs(&thing)
	_, err = daemonSets.Update(ctx, ds, metav1.UpdateOptions{FieldManager: "thing"})
	return ctrl.Result{}, err
}

func buildArgs(thing *thingapi.Thing) []string {
	args := []string{"serve", fmt.Sprintf("--port=%d", thing.Spec.Port)}
	for flag, value := range thing.Spec.Config { // want "unstablewrite: map order .*DaemonSet"
		args = append(args, fmt.Sprintf("--%s=%s", flag, value))
	}
	return args
}
