package controller

import (
	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type deploymentBuilder struct {
	meta  metav1.ObjectMeta
	image string
	env   []corev1.EnvVar
}

func newDeployment(thing *thingapi.Thing) *deploymentBuilder {
	return &deploymentBuilder{meta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
}

func (b *deploymentBuilder) WithImage(image string) *deploymentBuilder {
	b.image = image
	return b
}

func (b *deploymentBuilder) WithEnv(values map[string]string) *deploymentBuilder {
	for k, v := range values { // want "unstablewrite: map order .*Deployment"
		b.env = append(b.env, corev1.EnvVar{Name: k, Value: v})
	}
	return b
}

func (b *deploymentBuilder) Build() *appsv1.Deployment {
	deploy := &appsv1.Deployment{ObjectMeta: b.meta}
	deploy.Spec.Template.Spec.Containers = []corev1.Container{{Name: "main", Image: b.image, Env: b.env}}
	return deploy
}
