// Package resources builds what a Thing needs.
package resources

import (
	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// Deployment returns the wanted Deployment of thing.
func Deployment(thing *thingapi.Thing) *appsv1.Deployment {
	deploy := &appsv1.Deployment{}
	deploy.Name, deploy.Namespace = thing.Name, thing.Namespace
	deploy.Spec.Template.Spec.Containers = []corev1.Container{container(thing)}
	return deploy
}

func container(thing *thingapi.Thing) corev1.Container {
	c := corev1.Container{Name: "main", Image: thing.Spec.Image}
	for k, v := range thing.Spec.Config {
		c.Env = append(c.Env, corev1.EnvVar{Name: k, Value: v})
	}
	return c
}
