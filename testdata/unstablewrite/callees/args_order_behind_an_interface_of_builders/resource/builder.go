// Package resource has a builder for each kind that a Thing needs.
package resource

import (
	"github.com/operatorvet/operatorvet/testdata/thingapi"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Builder makes one object and keeps it up to date.
type Builder interface {
	Build() (client.Object, error)
	Update(obj client.Object) error
}

// Builders returns all builders for thing.
func Builders(thing *thingapi.Thing) []Builder {
	return []Builder{&statefulSetBuilder{thing}}
}

type statefulSetBuilder struct {
	thing *thingapi.Thing
}

func (b *statefulSetBuilder) Build() (client.Object, error) {
	return &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Name: b.thing.Name, Namespace: b.thing.Namespace}}, nil
}

func (b *statefulSetBuilder) Update(obj client.Object) error {
	sts := obj.(*appsv1.StatefulSet)
	sts.Spec.Template.Spec.Containers = []corev1.Container{{Name: "main", Args: b.args()}}
	return nil
}

func (b *statefulSetBuilder) args() (args []string) {
	for k, v := range b.thing.Spec.Config {
		args = append(args, "--"+k+"="+v)
	}
	return args
}
