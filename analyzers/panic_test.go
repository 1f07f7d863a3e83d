package analyzers_test

import (
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/operatorvet/operatorvet/analyzers"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
	"github.com/operatorvet/operatorvet/internal/testing/fixture"
)

// TestNoPanic runs the suite over large libraries as if they were under
// development, so that it analyses every function of theirs. The findings do not
// matter.
func TestNoPanic(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	for name, patterns := range map[string][]string{
		// Not all of it, which takes minutes: what waits, recurs, is generic, unsafe or in assembly.
		"std":                {"encoding/json", "go/parser", "iter", "maps", "net/http/...", "reflect", "runtime", "slices", "sync/...", "text/template/..."},
		"apimachinery":       {"k8s.io/apimachinery/..."},
		"client-go":          {"k8s.io/client-go/..."},
		"controller-runtime": {"sigs.k8s.io/controller-runtime/..."},
	} {
		t.Run(name, func(t *testing.T) {
			prog, err := fixture.LoadPackages(testdata, patterns...)
			if err != nil {
				t.Fatal(err)
			}
			for _, failure := range prog.Failures {
				t.Errorf("%s: %s", failure.Package, failure.Message)
			}
			for _, pkg := range prog.Packages {
				// Only the module under development is relevant whatever it
				// imports; see ssair.Relevant.
				pkg.Module = &packages.Module{Path: "example.com/operator"}
				if !ssair.Relevant(pkg.Types, &analysis.Module{Path: pkg.Module.Path}) {
					t.Errorf("%s is not analysed", pkg.PkgPath)
				}
			}
			graph, err := checker.Analyze(analyzers.All(), prog.Packages, nil)
			if err != nil {
				t.Fatal(err)
			}
			findings := 0
			for act := range graph.All() {
				if act.Err != nil && !strings.HasPrefix(act.Err.Error(), "failed prerequisites") {
					t.Error(act.Err)
				}
				findings += len(act.Diagnostics)
			}
			t.Logf("%d packages, %d findings", len(prog.Packages), findings)
		})
	}
}
