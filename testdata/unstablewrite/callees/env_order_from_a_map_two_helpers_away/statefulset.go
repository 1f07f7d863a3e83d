package controller

import (
	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func statefulSetFor(thing *thingapi.Thing) *appsv1.StatefulSet {
	return &appsv1.StatefulSet{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace},
		Spec: appsv1.StatefulSetSpec{
			Replicas: thing.Spec.Replicas,
			Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: containersFor(thing)}},
		},
	}
}

func containersFor(thing *thingapi.Thing) []corev1.Container {
	return []corev1.Container{{
		Name:  "server",
		Image: thing.Spec.Image,
		Env:   envFor(thing.Spec.Config),
	}}
}

func envFor(config map[string]string) (env []corev1.EnvVar) {
	for key, value := range config { // want "unstablewrite: map order .*StatefulSet"
		env = append(env, corev1.EnvVar{Name: "APP_" + key, Value: value})
	}
	return env
}
