// Package controller means to restart the pods when the secret changes, but
// stamps the template whenever it runs.
package controller

import (
	"context"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

type Reconciler struct {
	client.Client
}

const restartedAt = "things.example.com/restartedAt"

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var secret corev1.Secret
	if err := r.Get(ctx, req.NamespacedName, &secret); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	deploy := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: secret.Labels["app"], Namespace: req.Namespace}}
	_, err := controllerutil.CreateOrPatch(ctx, r.Client, deploy, func() error {
		template := &deploy.Spec.Template
		if template.Annotations == nil {
			template.Annotations = make(map[string]string)
		}
		template.Annotations[restartedAt] = time.Now().UTC().String() // want "unstablewrite: time\\.Now .*Deployment"
		return nil
	})
	return ctrl.Result{}, err
}
