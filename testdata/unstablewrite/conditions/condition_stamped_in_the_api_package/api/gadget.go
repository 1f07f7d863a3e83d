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

// MarkReady says that the Gadget works.
func (s *GadgetStatus) MarkReady(message string) {
	s.set(metav1.Condition{Type: "Ready", Status: metav1.ConditionTrue, Reason: "Ready", Message: message})
}

func (s *GadgetStatus) set(c metav1.Condition) {
	c.LastTransitionTime = metav1.Now()
	for i, old := range s.Conditions {
		if old.Type == c.Type {
			s.Conditions[i] = c
			return
		}
	}
	s.Conditions = append(s.Conditions, c)
}

// DeepCopyObject implements runtime.Object.
func (g *Gadget) DeepCopyObject() runtime.Object {
	out := &Gadget{TypeMeta: g.TypeMeta}
	g.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Status.Conditions = append(out.Status.Conditions, g.Status.Conditions...)
	return out
}
