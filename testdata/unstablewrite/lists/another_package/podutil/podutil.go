// Package podutil helps with pods.
package podutil

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// SortByName sorts the pods of a list.
func SortByName(list *corev1.PodList) {
	slices.SortFunc(list.Items, func(a, b corev1.Pod) int { return strings.Compare(a.Name, b.Name) })
}
