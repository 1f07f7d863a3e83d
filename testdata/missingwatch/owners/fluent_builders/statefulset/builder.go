// Package statefulset builds StatefulSets.
package statefulset

import (
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Builder holds what the StatefulSet will be made of.
type Builder struct {
	meta     metav1.ObjectMeta
	replicas *int32
}

// New returns a builder of a StatefulSet.
func New(name, namespace string) *Builder {
	return &Builder{meta: metav1.ObjectMeta{Name: name, Namespace: namespace}}
}

// WithReplicas sets the number of replicas.
func (b *Builder) WithReplicas(replicas *int32) *Builder {
	b.replicas = replicas
	return b
}

// ControlledBy sets the controller reference.
func (b *Builder) ControlledBy(owner metav1.Object, gvk schema.GroupVersionKind) *Builder {
	b.meta.OwnerReferences = append(b.meta.OwnerReferences, *metav1.NewControllerRef(owner, gvk))
	return b
}

// Build returns the StatefulSet.
func (b *Builder) Build() appsv1.StatefulSet {
	return appsv1.StatefulSet{ObjectMeta: b.meta, Spec: appsv1.StatefulSetSpec{Replicas: b.replicas}}
}

type builder struct {
	set appsv1.StatefulSet
}

// NewBuilder returns a builder of an empty StatefulSet.
func NewBuilder() *builder { return &builder{} }

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
