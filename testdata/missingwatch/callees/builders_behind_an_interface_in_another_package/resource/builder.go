// Package resource builds the objects of a Thing, one builder for each.
package resource

import (
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// Builder makes one object and brings it up to date.
type Builder interface {
	Build() (client.Object, error)
	Update(obj client.Object) error
}

type base struct {
	thing  *thingapi.Thing
	scheme *runtime.Scheme
}

// Builders returns the builders of a thing.
func Builders(thing *thingapi.Thing, scheme *runtime.Scheme) []Builder {
	b := &base{thing: thing, scheme: scheme}
	return []Builder{b.config(), b.role()}
}

type configBuilder struct{ *base }

func (b *base) config() *configBuilder { return &configBuilder{b} }

// Build implements Builder.
func (b *configBuilder) Build() (client.Object, error) {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: b.thing.Name, Namespace: b.thing.Namespace}}, nil
}

// Update implements Builder.
func (b *configBuilder) Update(obj client.Object) error {
	obj.(*corev1.ConfigMap).Data = b.thing.Spec.Config
	return controllerutil.SetControllerReference(b.thing, obj, b.scheme)
}

type roleBuilder struct{ *base }

func (b *base) role() *roleBuilder { return &roleBuilder{b} }

// Build implements Builder.
func (b *roleBuilder) Build() (client.Object, error) {
	return &rbacv1.Role{ObjectMeta: metav1.ObjectMeta{Name: b.thing.Name, Namespace: b.thing.Namespace}}, nil
}

// Update implements Builder.
func (b *roleBuilder) Update(obj client.Object) error {
	role := obj.(*rbacv1.Role)
	role.Rules = []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"endpoints"}, Verbs: []string{"get"}}}
	return controllerutil.SetControllerReference(b.thing, role, b.scheme)
}
