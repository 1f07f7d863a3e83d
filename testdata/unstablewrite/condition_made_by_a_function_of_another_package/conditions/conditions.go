// Package conditions makes conditions.
package conditions

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

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
