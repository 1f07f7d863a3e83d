// Package addresses collects what it has looked up for each item of a cached list.
package addresses

import (
	"context"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	r.Client = mgr.GetClient()
	return ctrl.NewControllerManagedBy(mgr).For(&corev1.ConfigMap{}).Complete(r)
}

// Reconcile puts the addresses of the Services of all pods into a ConfigMap, once in the
// order of the list, and once sorted.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var cm corev1.ConfigMap
	if err := r.Get(ctx, req.NamespacedName, &cm); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	listed, err := r.addresses(ctx)
	if err != nil {
		return ctrl.Result{}, err
	}
	cm.Data["listed"] = strings.Join(listed, ",")
	sorted, err := r.addresses(ctx)
	if err != nil {
		return ctrl.Result{}, err
	}
	slices.Sort(sorted)
	cm.Data["sorted"] = strings.Join(sorted, ",")
	return ctrl.Result{}, r.Update(ctx, &cm)
}

func (r *Reconciler) addresses(ctx context.Context) ([]string, error) {
	var pods corev1.PodList
	if err := r.List(ctx, &pods); err != nil { // want "unstablewrite: list order reaches ConfigMap data\\[listed\\]"
		return nil, err
	}
	var all []string
	for i := range pods.Items {
		address, err := r.address(ctx, &pods.Items[i])
		if err != nil {
			return nil, err
		}
		all = append(all, address)
	}
	return all, nil
}

func (r *Reconciler) address(ctx context.Context, pod *corev1.Pod) (string, error) {
	svc := new(corev1.Service)
	if err := r.Get(ctx, client.ObjectKey{Namespace: pod.Namespace, Name: pod.Name}, svc); err != nil {
		return "", err
	}
	return svc.Spec.ClusterIP, nil
}
