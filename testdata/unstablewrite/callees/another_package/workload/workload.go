// Package workload fills pod templates.
package workload

import (
	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"github.com/operatorvet/operatorvet/testdata/unstablewrite/callees/another_package/envs"
	corev1 "k8s.io/api/core/v1"
)

// Fill makes template run thing.
func Fill(thing *thingapi.Thing, template *corev1.PodTemplateSpec) {
	template.Spec.Containers = []corev1.Container{{
		Name:  "main",
		Image: thing.Spec.Image,
		Env:   append(envs.FromMap(thing.Spec.Config), corev1.EnvVar{Name: "THING", Value: thing.Name}),
	}}
}
