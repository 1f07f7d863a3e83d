// Package manifests renders what a Thing needs.
package manifests

import (
	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// All returns the objects of a thing, with the thing as their controller.
func All(thing *thingapi.Thing, scheme *runtime.Scheme) ([]client.Object, error) {
	objects := []client.Object{newConfigMap(thing), newDeployment(thing)}
	for _, obj := range objects {
		if err := controllerutil.SetControllerReference(thing, obj, scheme); err != nil {
			return nil, err
		}
	}
	return objects, nil
}

func newConfigMap(thing *thingapi.Thing) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-config", Namespace: thing.Namespace},
		Data:       thing.Spec.Config,
	}
}

func newDeployment(thing *thingapi.Thing) *appsv1.Deployment {
	labels := map[string]string{"thing": thing.Name}
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace},
		Spec: appsv1.DeploymentSpec{
			Replicas: thing.Spec.Replicas,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "thing", Image: thing.Spec.Image}}},
			},
		},
	}
}
