package library_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/operatorvet/operatorvet/internal/library"
)

func TestKindOfType(t *testing.T) {
	t.Parallel()
	for typeName, want := range map[string]library.GroupKind{
		"k8s.io/api/core/v1.ConfigMap": {Group: "", Kind: "ConfigMap"},
		"k8s.io/api/rbac/v1.Role":      {Group: "rbac.authorization.k8s.io", Kind: "Role"},
		"k8s.io/client-go/applyconfigurations/apps/v1.DeploymentApplyConfiguration": {Group: "apps", Kind: "Deployment"},
		"knative.dev/serving/pkg/apis/serving/v1.Service":                           {Group: "serving.knative.dev", Kind: "Service"},
		"github.com/openshift/api/route/v1.Route":                                   {Group: "route.openshift.io", Kind: "Route"},
		"example.com/thing/api/v1alpha1.Thing":                                      {Group: "example.com/thing/api", Kind: "Thing"},
		"example.com/thing/api.Thing":                                               {Group: "example.com/thing/api", Kind: "Thing"},
		"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured.Unstructured":            {},
		"k8s.io/apimachinery/pkg/apis/meta/v1.PartialObjectMetadata":                {},
		"error": {},
		"":      {},
	} {
		if got, ok := library.KindOfType(typeName); got != want || ok == want.IsZero() {
			t.Errorf("KindOfType(%q) = %v, %t, want %v", typeName, got, ok, want)
		}
	}
}

func TestKindOfGVK(t *testing.T) {
	t.Parallel()
	for gvk, want := range map[string]library.GroupKind{
		"apps/v1/Deployment": {Group: "apps", Kind: "Deployment"},
		"v1/Service":         {Kind: "Service"},
		"/v1/Service":        {Kind: "Service"},
		"Service":            {},
		"":                   {},
	} {
		if got, ok := library.KindOfGVK(gvk); got != want || ok == want.IsZero() {
			t.Errorf("KindOfGVK(%q) = %v, %t, want %v", gvk, got, ok, want)
		}
	}
}

func TestGroupKindMayBe(t *testing.T) {
	t.Parallel()
	kind := func(typeName string) library.GroupKind {
		k, ok := library.KindOfType(typeName)
		if !ok {
			t.Fatalf("no kind: %s", typeName)
		}
		return k
	}
	gvk := func(s string) library.GroupKind {
		k, _ := library.KindOfGVK(s)
		return k
	}
	tests := []struct {
		name string
		a, b library.GroupKind
		want bool
	}{
		{"versions of a kind", kind("k8s.io/api/policy/v1.PodDisruptionBudget"), kind("k8s.io/api/policy/v1beta1.PodDisruptionBudget"), true},
		{"versions of an own kind", kind("example.com/api/v1.Thing"), kind("example.com/api/v2.Thing"), true},
		{"equal names", kind("knative.dev/serving/pkg/apis/serving/v1.Service"), kind("k8s.io/api/core/v1.Service"), false},
		{"equal names, unknown group", kind("example.com/api/v1.Service"), gvk("v1/Service"), false},
		{"unstructured of an own kind", kind("example.com/api/v1.Thing"), gvk("example.com/v1/Thing"), true},
		{"kind that moved", kind("k8s.io/api/extensions/v1beta1.Ingress"), kind("k8s.io/api/networking/v1.Ingress"), true},
		{"own apply configuration", kind("example.com/applyconfiguration/api/v1.ThingApplyConfiguration"), kind("example.com/api/v1.Thing"), true},
		{"unknown kind", library.GroupKind{}, kind("k8s.io/api/core/v1.Service"), true},
		{"different kinds", kind("k8s.io/api/core/v1.Secret"), kind("k8s.io/api/core/v1.ConfigMap"), false},
	}
	for _, tt := range tests {
		if got := tt.a.MayBe(tt.b); got != tt.want {
			t.Errorf("%s: %v.MayBe(%v) = %t", tt.name, tt.a, tt.b, got)
		}
		if got := tt.b.MayBe(tt.a); got != tt.want {
			t.Errorf("%s, reversed: %v.MayBe(%v) = %t", tt.name, tt.b, tt.a, got)
		}
	}
}

// TestKindsWithoutGeneration keeps the file up to date that the operator's tests
// check against a real API server.
func TestKindsWithoutGeneration(t *testing.T) {
	t.Parallel()
	const file = "testdata/without_generation.txt"
	list := strings.Join(library.KindsWithoutGeneration(), "\n") + "\n"
	if *update {
		if err := os.WriteFile(file, []byte(list), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != list {
		t.Errorf("%s is not what the table says; go test -update writes it", file)
	}
}

var update = flag.Bool("update", false, "write testdata/without_generation.txt")
