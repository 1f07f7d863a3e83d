// Package conditions sets conditions of objects by their getters and setters.
package conditions

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A Getter has conditions.
type Getter interface {
	GetConditions() []metav1.Condition
}

// A Setter has conditions that can be replaced.
type Setter interface {
	Getter
	SetConditions(conditions []metav1.Condition)
}

type list []metav1.Condition

func of(g Getter) list { return g.GetConditions() }

// with replaces the condition of the type where the two differ, and keeps the old time
// where they do not.
func (l list) with(c *metav1.Condition) list {
	for i := range l {
		old := l[i]
		if old.Type != c.Type {
			continue
		}
		if differs(&old, c) {
			c.LastTransitionTime = metav1.NewTime(time.Now())
			l[i] = *c
		}
		return l
	}
	c.LastTransitionTime = metav1.NewTime(time.Now())
	return append(l, *c)
}

func differs(a, b *metav1.Condition) bool {
	return a.Status != b.Status || a.Reason != b.Reason || a.Message != b.Message
}

// MarkFalse sets a condition to false.
func MarkFalse(to Setter, kind, reason, message string) {
	to.SetConditions(of(to).with(&metav1.Condition{Type: kind, Status: metav1.ConditionFalse, Reason: reason, Message: message}))
}
