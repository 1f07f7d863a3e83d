// Package wrapper gives the methods to a Thing that helpers ask for.
package wrapper

import (
	"github.com/operatorvet/operatorvet/testdata/thingapi"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Thing wraps a Thing.
type Thing struct{ Object *thingapi.Thing }

// DeepCopy copies the wrapper and what it wraps.
func (t *Thing) DeepCopy() *Thing { return &Thing{Object: t.Object.DeepCopy()} }

// Conditions returns the conditions by their type.
func (t *Thing) Conditions() map[string]metav1.Condition {
	all := make(map[string]metav1.Condition, len(t.Object.Status.Conditions))
	for _, c := range t.Object.Status.Conditions {
		all[c.Type] = c
	}
	return all
}

// SetConditions replaces the conditions.
func (t *Thing) SetConditions(conditions []metav1.Condition) { t.Object.Status.Conditions = conditions }
