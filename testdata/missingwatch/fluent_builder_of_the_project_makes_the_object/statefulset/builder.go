// Package statefulset builds StatefulSets.
package statefulset

import (
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

type builder struct {
	set appsv1.StatefulSet
}

// Builder returns a builder of an empty StatefulSet.
func Builder() *builder { return &builder{} }

// SetName sets the name.
func (b *builder) SetName(name string) *builder {
	b.set.Name = name
	return b
}

// SetNamespace sets the namespace.
func (b *builder) SetNamespace(namespace string) *builder {
	b.set.Namespace = namespace
	return b
}

// SetReplicas sets the number of replicas.
func (b *builder) SetReplicas(replicas *int32) *builder {
	b.set.Spec.Replicas = replicas
	return b
}

// SetOwner makes owner the controller.
func (b *builder) SetOwner(owner metav1.Object, gvk schema.GroupVersionKind) *builder {
	b.set.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(owner, gvk)}
	return b
}

// Build returns a copy of what was built.
func (b *builder) Build() *appsv1.StatefulSet {
	return b.set.DeepCopy()
}
