// Package conditions sets conditions of whatever has some.
package conditions

import (
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Owner is what has conditions.
type Owner interface {
	Conditions() map[string]metav1.Condition
	SetConditions(conditions []metav1.Condition)
}

// Set sets a condition with the time of now.
func Set(owner Owner, condition metav1.Condition) {
	condition.LastTransitionTime = metav1.Now()
	all := owner.Conditions()
	all[condition.Type] = condition
	owner.SetConditions(slices.Collect(maps.Values(all)))
}

// Keep sets a condition, sorted by type, with the time of the old one if nothing else differs.
func Keep(owner Owner, condition metav1.Condition) {
	all := owner.Conditions()
	if old, ok := all[condition.Type]; ok && old.Status == condition.Status {
		condition.LastTransitionTime = old.LastTransitionTime
	} else {
		condition.LastTransitionTime = metav1.Now()
	}
	all[condition.Type] = condition
	sorted := make([]metav1.Condition, 0, len(all))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		sorted = append(sorted, all[name])
	}
	owner.SetConditions(sorted)
}
