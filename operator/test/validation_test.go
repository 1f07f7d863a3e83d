package test

import (
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/operator/api/v1alpha1"
)

func TestBadSpecIsRefusedWithAClearMessage(t *testing.T) {
	t.Parallel()
	namespace := newNamespace(t)
	for name, row := range map[string]struct {
		spoil func(*v1alpha1.Thing)
		want  string
	}{
		"no image":               {func(thing *v1alpha1.Thing) { thing.Spec.Image = "" }, "spec.image"},
		"image with white space": {func(thing *v1alpha1.Thing) { thing.Spec.Image = "a b" }, "image must not contain white space"},
		"negative replicas":      {func(thing *v1alpha1.Thing) { thing.Spec.Replicas = new(int32(-1)) }, "spec.replicas"},
		"port out of range":      {func(thing *v1alpha1.Thing) { thing.Spec.Port = 70000 }, "spec.port"},
		"config key":             {func(thing *v1alpha1.Thing) { thing.Spec.Config = config("a key", "v") }, "a config key begins with a letter"},
		"config value of two lines": {
			func(thing *v1alpha1.Thing) { thing.Spec.Config = config("key", "a\nb") }, "a config value must be a single line"},
		"relative drain path": {func(thing *v1alpha1.Thing) { thing.Spec.Drain = &v1alpha1.DrainSpec{Path: "drain"} }, "path must begin with '/'"},
		"drain without patience": {func(thing *v1alpha1.Thing) {
			thing.Spec.Drain = &v1alpha1.DrainSpec{Timeout: &metav1.Duration{Duration: time.Millisecond}}
		}, "timeout must be a duration"},
		"name too long for a Service": {func(thing *v1alpha1.Thing) { thing.Name = strings.Repeat("a", 53) }, "metadata.name must be a DNS label"},
	} {
		t.Run(name, func(t *testing.T) {
			thing := newThing(namespace, "bad")
			row.spoil(thing)
			err := cluster.Client.Create(t.Context(), thing)
			if !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), row.want) {
				t.Errorf("create: %v; want a refusal that says %q", err, row.want)
			}
		})
	}
}

func TestReplicasCannotBeUnset(t *testing.T) {
	t.Parallel()
	thing := newThing(newNamespace(t), "scaled")
	create(t, thing)
	unset := client.RawPatch("application/merge-patch+json", []byte(`{"spec":{"replicas":null}}`))
	if err := cluster.Client.Patch(t.Context(), thing, unset); !apierrors.IsInvalid(err) {
		t.Errorf("unsetting replicas: %v; want a refusal", err)
	}
}

func config(key, value string) map[string]v1alpha1.ConfigValue {
	return map[string]v1alpha1.ConfigValue{key: v1alpha1.ConfigValue(value)}
}
