// Package v1alpha1 is the API group of the faulty Thing operator.
// +kubebuilder:object:generate=true
// +groupName=things.example.com
package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var (
	// GroupVersion is the group and version of the objects in this package.
	GroupVersion = schema.GroupVersion{Group: "things.example.com", Version: "v1alpha1"}

	// SchemeBuilder collects the functions that make a scheme know the group.
	SchemeBuilder = runtime.NewSchemeBuilder(func(s *runtime.Scheme) error {
		s.AddKnownTypes(GroupVersion, &Thing{}, &ThingList{})
		metav1.AddToGroupVersion(s, GroupVersion)
		return nil
	})

	// AddToScheme makes a scheme know the kinds of this group.
	AddToScheme = SchemeBuilder.AddToScheme
)
