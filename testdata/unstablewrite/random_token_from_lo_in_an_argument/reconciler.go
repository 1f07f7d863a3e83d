// Package controller passes a random token as an argument.
package controller

import (
	"context"

	"github.com/samber/lo"
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
	sts, err := r.Clientset.AppsV1().StatefulSets(req.Namespace).Get(ctx, req.Name, metav1.GetOptions{})
	if err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	main := &sts.Spec.Template.Spec.Containers[0]
	main.Args = []string{"--token", lo.RandomString(16, lo.AlphanumericCharset)} // want "unstablewrite: lo\\.RandomString .*StatefulSet"
	_, err = r.Clientset.AppsV1().StatefulSets(req.Namespace).Update(ctx, sts, metav1.UpdateOptions{})
	return ctrl.Result{}, err
}
