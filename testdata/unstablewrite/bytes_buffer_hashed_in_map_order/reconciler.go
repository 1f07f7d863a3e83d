// Package controller writes a map into a buffer and prints the sum of its bytes.
package controller

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var secret corev1.Secret
	if err := r.Get(ctx, req.NamespacedName, &secret); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	buf := new(bytes.Buffer)
	for key, value := range secret.Data { // want "unstablewrite: map order .*StatefulSet"
		buf.WriteString(key)
		buf.Write(value)
	}
	sum := fmt.Sprintf("%x", sha256.Sum256(buf.Bytes()))

	var sts appsv1.StatefulSet
	if err := r.Get(ctx, req.NamespacedName, &sts); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if sts.Spec.Template.Annotations == nil {
		sts.Spec.Template.Annotations = map[string]string{}
	}
	sts.Spec.Template.Annotations["secret-sum"] = sum
	return ctrl.Result{}, r.Update(ctx, &sts)
}
