// Package conditions sets conditions.
package conditions

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Mark sets the status of a condition, and the time if the status changes.
func Mark(all *[]metav1.Condition, kind string, status metav1.ConditionStatus) {
	for i := range *all {
		c := &(*all)[i]
		if c.Type != kind {
			continue
		}
		if c.Status != status {
			c.Status = status
			c.LastTransitionTime = metav1.Now()
		}
		return
	}
	*all = append(*all, metav1.Condition{Type: kind, Status: status, LastTransitionTime: metav1.Now()})
}
