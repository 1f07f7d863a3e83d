// Package conditions sets conditions.
package conditions

import (
	"time"

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

// True returns a condition that holds since now.
func True(kind string, generation int64) metav1.Condition {
	return metav1.Condition{
		Type:               kind,
		Status:             metav1.ConditionTrue,
		Reason:             "AsExpected",
		ObservedGeneration: generation,
		LastTransitionTime: metav1.Time{Time: time.Now()},
	}
}
