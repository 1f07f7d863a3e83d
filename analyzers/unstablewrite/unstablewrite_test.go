package unstablewrite

import (
	"go/token"
	"go/types"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/engine/flow"
	"github.com/operatorvet/operatorvet/internal/engine/place"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
)

// TestOrigins checks how a message names the source. Files in several packages may
// have the same name.
func TestOrigins(t *testing.T) {
	t.Parallel()
	fset := token.NewFileSet()
	file := fset.AddFile("/src/a/apply.go", -1, 100)
	file.SetLines([]int{0, 10, 20, 30, 40})
	pass := &rule.Pass{Pass: &analysis.Pass{Fset: fset, Pkg: types.NewPackage("example.com/a", "a")}}
	pos := file.LineStart(3)
	here := place.Of(fset, pass.Pkg, pos)
	other := place.Place{File: "example.com/b/apply.go", Line: 3, Column: 1}
	tests := []struct {
		name   string
		source place.Place
		want   string
	}{
		{"in the package", here, "time.Now"},
		{"in a file of that name", other, "time.Now (example.com/b/apply.go:3)"},
	}
	for _, tt := range tests {
		f := finding{source: flow.Label{Kind: flow.Clock, What: "time.Now", At: tt.source, Pos: pos}}
		if got := f.origin(pass); got != tt.want {
			t.Errorf("%s: the source is %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestJSONPath(t *testing.T) {
	t.Parallel()
	tests := []struct {
		path access.Path
		want string
	}{
		{access.Path{}, ""},
		{access.Fields("ObjectMeta", "Annotations").Join(access.Entry("example.com/a.b")), "metadata.annotations[example.com/a.b]"},
		{access.Fields("Spec", "Containers").Elem().Field("EnvFrom"), "spec.containers.envFrom"},
		{access.Fields("TypeMeta", "Kind"), "kind"},
		{access.Fields("Status", "Status", "Conditions").Elem(), "status.conditions"},
		{access.Fields("Spec", "ClusterIPs").Elem(), "spec.clusterIPs"},
	}
	for _, tt := range tests {
		if got := jsonPath(tt.path); got != tt.want {
			t.Errorf("%v is %q, want %q", tt.path, got, tt.want)
		}
	}
}

// TestReaches asks which writes keep what is outside of the status, and the status.
func TestReaches(t *testing.T) {
	t.Parallel()
	tests := []struct {
		callee       string
		rest, status bool
	}{
		{"(sigs.k8s.io/controller-runtime/pkg/client.Writer).Update", true, false},
		{"(sigs.k8s.io/controller-runtime/pkg/client.SubResourceWriter).Update", false, true},
		{"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil.CreateOrPatch", true, true},
		{"(sigs.k8s.io/cluster-api/util/patch.Helper).Patch", true, true},
	}
	for _, tt := range tests {
		write := library.Named(tt.callee).Write
		if write == nil {
			t.Errorf("%s is no write", tt.callee)
			continue
		}
		if rest, status := reaches(write, false), reaches(write, true); rest != tt.rest || status != tt.status {
			t.Errorf("%s keeps the rest %v and the status %v, want %v and %v", tt.callee, rest, status, tt.rest, tt.status)
		}
	}
}

// TestTransition asks which paths lead to the time of a condition, and which write leaves it out.
func TestTransition(t *testing.T) {
	t.Parallel()
	conditions := access.Fields("Status", "Conditions").Elem()
	if path := conditions.Field("LastTransitionTime").Field("Time"); !isTransition(path) {
		t.Errorf("%v is no time of a condition", path)
	}
	if path := conditions.Field("Message"); isTransition(path) {
		t.Errorf("%v is the time of a condition", path)
	}
	for callee, want := range map[string]bool{
		"(sigs.k8s.io/cluster-api/util/patch.Helper).Patch":                   true,
		"(sigs.k8s.io/controller-runtime/pkg/client.SubResourceWriter).Patch": false,
	} {
		if got := library.Named(callee).Write.MergesConditions; got != want {
			t.Errorf("%s merges conditions: %v", callee, got)
		}
	}
}
