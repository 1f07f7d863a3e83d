// Package envs makes env vars.
package envs

import (
	corev1 "k8s.io/api/core/v1"
)

// FromMap returns an env var for each entry of values.
func FromMap(values map[string]string) []corev1.EnvVar {
	vars := make([]corev1.EnvVar, 0, len(values))
	for k, v := range values {
		vars = append(vars, corev1.EnvVar{Name: k, Value: v})
	}
	return vars
}
