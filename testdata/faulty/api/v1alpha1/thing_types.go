package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ThingSpec is the wish of the user.
type ThingSpec struct {
	// Image is what the Thing's pods run.
	Image string `json:"image"`

	// Replicas is how many pods serve the Thing.
	// +kubebuilder:default=1
	Replicas int32 `json:"replicas,omitempty"`

	// Settings become environment variables.
	// +optional
	Settings map[string]string `json:"settings,omitempty"`
}

// ThingStatus is what the operator saw last.
type ThingStatus struct {
	// ReadyReplicas is how many pods answer.
	ReadyReplicas int32 `json:"readyReplicas,omitempty"`

	// ObservedGeneration is the generation of the spec that was rendered last.
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status

// Thing is a service with connections that have to be drained before a pod goes.
type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   ThingSpec   `json:"spec"`
	Status ThingStatus `json:"status,omitempty"`
}

// +kubebuilder:object:root=true

// ThingList is a list of Things.
type ThingList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Thing `json:"items"`
}
