// Package apply builds Deployments, and applies them.
package apply

import (
	"context"
	"maps"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// A Builder makes a template from a given one.
type Builder struct{ Template corev1.PodTemplateSpec }

// NewBuilder returns a builder that begins with base.
func NewBuilder(base corev1.PodTemplateSpec) *Builder { return &Builder{Template: *base.DeepCopy()} }

// WithAnnotations adds annotations.
func (b *Builder) WithAnnotations(annotations map[string]string) *Builder {
	if b.Template.Annotations == nil {
		b.Template.Annotations = make(map[string]string)
	}
	maps.Copy(b.Template.Annotations, annotations)
	return b
}

type params struct {
	expected, stored client.Object
	differs          func() bool
	update           func()
}

func apply(ctx context.Context, c client.Client, p params) error {
	err := c.Get(ctx, client.ObjectKeyFromObject(p.expected), p.stored)
	switch {
	case apierrors.IsNotFound(err):
		return c.Create(ctx, p.expected)
	case err != nil:
		return err
	case !p.differs():
		return nil
	}
	p.update()
	return c.Update(ctx, p.stored)
}

// Deployment applies a Deployment if the annotations of its template differ.
func Deployment(ctx context.Context, c client.Client, expected appsv1.Deployment) error {
	stored := &appsv1.Deployment{}
	return apply(ctx, c, params{
		expected: &expected,
		stored:   stored,
		differs: func() bool {
			return !maps.Equal(expected.Spec.Template.Annotations, stored.Spec.Template.Annotations)
		},
		update: func() { stored.Spec = expected.Spec },
	})
}

// Labelled applies a Deployment if its labels differ.
func Labelled(ctx context.Context, c client.Client, expected appsv1.Deployment) error {
	stored := &appsv1.Deployment{}
	return apply(ctx, c, params{
		expected: &expected,
		stored:   stored,
		differs:  func() bool { return !maps.Equal(expected.Labels, stored.Labels) },
		update:   func() { stored.Spec = expected.Spec },
	})
}
