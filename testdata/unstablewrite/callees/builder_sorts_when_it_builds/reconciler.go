// Package controller uses a builder that collects in map order and sorts at the
// end.
package controller

import (
	"context"
	"sort"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	client.Client
}

type deploymentBuilder struct {
	meta metav1.ObjectMeta
	env  []corev1.EnvVar
}

func (b *deploymentBuilder) WithEnv(values map[string]string) *deploymentBuilder {
	for k, v := range values {
		b.env = append(b.env, corev1.EnvVar{Name: k, Value: v})
	}
	return b
}

func (b *deploymentBuilder) Build() *appsv1.Deployment {
	sort.Slice(b.env, func(i, j int) bool { return b.env[i].Name < b.env[j].Name })
	deploy := &appsv1.Deployment{ObjectMeta: b.meta}
	deploy.Spec.Template.Spec.Containers = []corev1.Container{{Name: "main", Env: b.env}}
	return deploy
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	b := &deploymentBuilder{meta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	return ctrl.Result{}, r.Update(ctx, b.WithEnv(thing.Spec.Config).WithEnv(thing.Spec.Labels).Build())
}
