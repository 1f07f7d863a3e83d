// Package env adds environment variables to containers.
package env

import corev1 "k8s.io/api/core/v1"

// Add adds the variables that the container does not have.
func Add(c *corev1.Container, vars ...corev1.EnvVar) {
	for _, v := range vars {
		if !has(c.Env, v.Name) {
			c.Env = append(c.Env, v)
		}
	}
}

func has(list []corev1.EnvVar, name string) bool {
	for _, v := range list {
		if v.Name == name {
			return true
		}
	}
	return false
}
