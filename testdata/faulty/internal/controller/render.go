package controller

import (
	"fmt"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	thingsv1alpha1 "github.com/operatorvet/operatorvet/testdata/faulty/api/v1alpha1"
)

const (
	port       = 8080
	renderedAt = "things.example.com/rendered-at"
)

// render returns what the cluster should hold for the Thing.
func render(thing *thingsv1alpha1.Thing) []client.Object {
	return []client.Object{
		configMap(thing),
		deployment(thing),
		service(thing),
	}
}

// configMap stamps its annotation on each reconcile, so each apply changes the
// object. Were the ConfigMap watched, each change would lead to the next.
func configMap(thing *thingsv1alpha1.Thing) *corev1.ConfigMap {
	meta := metadata(thing)
	meta.Annotations = map[string]string{
		renderedAt: time.Now().Format(time.RFC3339), // want "unstablewrite: .*time.Now.*ConfigMap.*annotations"
	}
	return &corev1.ConfigMap{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"},
		ObjectMeta: meta,
		Data:       map[string]string{"image": thing.Spec.Image},
	}
}

// deployment lists the settings as environment variables, in the order in which
// the map gives them away: another one each time, so the pods are rolled again
// and again.
func deployment(thing *thingsv1alpha1.Thing) *appsv1.Deployment {
	var env []corev1.EnvVar
	for name, value := range thing.Spec.Settings { // want "unstablewrite: .*Deployment.*env"
		env = append(env, corev1.EnvVar{Name: "THING_" + strings.ToUpper(name), Value: value})
	}
	return &appsv1.Deployment{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apps/v1", Kind: "Deployment"},
		ObjectMeta: metadata(thing),
		Spec: appsv1.DeploymentSpec{
			Replicas: ptr.To(thing.Spec.Replicas),
			Selector: &metav1.LabelSelector{MatchLabels: labels(thing)},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels(thing)},
				Spec: corev1.PodSpec{
					Containers: []corev1.Container{{
						Name:  "thing",
						Image: thing.Spec.Image,
						Args:  []string{fmt.Sprintf("--listen=:%d", port)},
						Env:   env,
						Ports: []corev1.ContainerPort{{Name: "http", ContainerPort: port}},
					}},
				},
			},
		},
	}
}

func service(thing *thingsv1alpha1.Thing) *corev1.Service {
	return &corev1.Service{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Service"},
		ObjectMeta: metadata(thing),
		Spec: corev1.ServiceSpec{
			Selector: labels(thing),
			Ports:    []corev1.ServicePort{{Name: "http", Port: 80, TargetPort: intstr.FromInt32(port)}},
		},
	}
}

func metadata(thing *thingsv1alpha1.Thing) metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Name:      thing.Name,
		Namespace: thing.Namespace,
		Labels:    labels(thing),
	}
}

func labels(thing *thingsv1alpha1.Thing) map[string]string {
	return map[string]string{
		"app.kubernetes.io/name":     "thing",
		"app.kubernetes.io/instance": thing.Name,
	}
}
