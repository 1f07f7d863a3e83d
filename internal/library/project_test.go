package library

import (
	"go/types"
	"testing"
)

func TestSameProject(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"github.com/o/r", "github.com/o/r/api/v1", true},
		{"github.com/o/r/a", "github.com/o/other", false},
		{"github.com/o/r/a", "github.com/p/r/a", false},
		{"sigs.k8s.io/cluster-api/util", "sigs.k8s.io/cluster-api/controllers", true},
		{"github.com/o/r", "k8s.io/api", false},
		{"operator", "operator/internal", true},
		{"operator", "library", false},
	} {
		if got := SameProject(types.NewPackage(tt.a, "a"), types.NewPackage(tt.b, "b")); got != tt.want {
			t.Errorf("%s and %s: %v", tt.a, tt.b, got)
		}
	}
	if SameProject(nil, types.NewPackage("a", "a")) {
		t.Error("the universe belongs to no project")
	}
}
