// Package manifests renders what a Thing needs.
package manifests

import (
	"errors"
	"fmt"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// All returns the objects of a thing.
func All(thing *thingapi.Thing) ([]client.Object, error) {
	if thing.Spec.Image == "" {
		return nil, errors.New("thing has no image")
	}
	var objects []client.Object
	objects = append(objects, newConfigMap(thing))
	if thing.Spec.Replicas == nil {
		objects = append(objects, newAutoscaler(thing))
	}
	return objects, nil
}

func newConfigMap(thing *thingapi.Thing) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name + "-config", Namespace: thing.Namespace},
		Data:       thing.Spec.Config,
	}
}

func newAutoscaler(thing *thingapi.Thing) *autoscalingv2.HorizontalPodAutoscaler {
	return &autoscalingv2.HorizontalPodAutoscaler{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace},
		Spec: autoscalingv2.HorizontalPodAutoscalerSpec{
			ScaleTargetRef: autoscalingv2.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: thing.Name},
			MaxReplicas:    5,
		},
	}
}

// Mutate copies what desired says into existing.
func Mutate(existing, desired client.Object) error {
	existing.SetLabels(desired.GetLabels())
	switch have := existing.(type) {
	case *corev1.ConfigMap:
		have.Data = desired.(*corev1.ConfigMap).Data
	case *autoscalingv2.HorizontalPodAutoscaler:
		have.Spec = desired.(*autoscalingv2.HorizontalPodAutoscaler).Spec
	default:
		return fmt.Errorf("no rule for %T", existing)
	}
	return nil
}
