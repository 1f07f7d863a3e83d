// Package api has the types of the Gadget resource.
package api

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Gadget is a custom resource.
type Gadget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Status            GadgetStatus `json:"status,omitempty"`
}

// GadgetStatus is what the controller saw last.
type GadgetStatus struct {
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// SetCondition sets a condition of the Gadget.
func (g *Gadget) SetCondition(kind string, status metav1.ConditionStatus, reason string) {
	condition := metav1.Condition{Type: kind, Status: status, Reason: reason, LastTransitionTime: metav1.Now()}
	for i, existing := range g.Status.Conditions {
		if existing.Type == kind {
			if existing.Status != status {
				condition.LastTransitionTime = metav1.Now()
			} else {
				condition.LastTransitionTime = existing.LastTransitionTime
			}
			g.Status.Conditions[i] = condition
			return
		}
	}
	g.Status.Conditions = append(g.Status.Conditions, condition)
}

// DeepCopyObject implements runtime.Object.
func (g *Gadget) DeepCopyObject() runtime.Object {
	out := &Gadget{TypeMeta: g.TypeMeta}
	g.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Status.Conditions = append(out.Status.Conditions, g.Status.Conditions...)
	return out
}
