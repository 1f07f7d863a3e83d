// Package order sorts what Kubernetes keeps in lists.
package order

import (
	"sort"

	corev1 "k8s.io/api/core/v1"
)

// Env sorts env vars by name.
func Env(env []corev1.EnvVar) {
	sort.SliceStable(env, func(i, j int) bool {
		return env[i].Name < env[j].Name
	})
}
