// Package controller uses the project's own client, which wraps the usual one.
package controller

import (
	"context"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/unstablewrite/lists/list_passed_from_a_method_of_a_wrapper_client/kube"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	kube kube.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing, err := r.kube.Thing(ctx, req.NamespacedName)
	if err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	var lines []string
	for user, password := range thing.Spec.Config { // want "unstablewrite: map order .*Secret"
		lines = append(lines, user+":"+password)
	}
	secret.StringData = map[string]string{"users.txt": strings.Join(lines, "\n")}
	return ctrl.Result{}, r.kube.Save(ctx, secret)
}
