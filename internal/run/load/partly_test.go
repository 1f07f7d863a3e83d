package load_test

import (
	"go/types"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/operatorvet/operatorvet/internal/run/load"
)

// The dependencies low and beside are compiled, middle is not: it has changed since.
// Main hands a type of low from one side to the other.
const partlyCompiled = `
-- go.mod --
module example.com/main

go 1.25.0

require example.com/deps v0.0.0

replace example.com/deps => ./deps
-- main.go --
package main

import (
	"example.com/deps/beside"
	"example.com/deps/middle"
)

var T = middle.New()

func main() { beside.Use(T) }
-- deps/go.mod --
module example.com/deps

go 1.25.0
-- deps/low/low.go --
package low

type T struct{ next *T }

func (*T) Next() *T { return nil }
-- deps/beside/beside.go --
package beside

import "example.com/deps/low"

func Use(t *low.T) {}
-- deps/middle/middle.go --
package middle

import "example.com/deps/low"

func New() *low.T { return new(low.T).Next() }
`

func TestAutoTakesWhatIsCompiled(t *testing.T) {
	t.Setenv("GOCACHE", t.TempDir())
	dir := tree(t, partlyCompiled)
	list := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("go", append([]string{"list", "-export", "-f", "{{.ImportPath}}{{if .Export}} is compiled{{end}}"}, args...)...)
		cmd.Dir = dir
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(out))
	}
	list("example.com/deps/beside")
	for _, deps := range []load.Deps{load.Auto, load.Source, load.Export} {
		prog, err := load.Load(load.Config{
			Dir: dir, Patterns: []string{"."}, Deps: deps,
			Relevant: func(*packages.Package) bool { return false },
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(prog.Packages) != 1 || len(prog.Failures) != 0 {
			t.Fatalf("%s: %d packages, failures %v", deps, len(prog.Packages), prog.Failures)
		}
		// Export data have no columns.
		low := prog.Packages[0].Types.Scope().Lookup("T").Type().(*types.Pointer).Elem().(*types.Named).Obj()
		exported := prog.Packages[0].Fset.Position(low.Pos()).Column == 1
		if exported != (deps != load.Source) {
			t.Errorf("%s: low comes from export data: %v", deps, exported)
		}
		if got := list("-n", "example.com/deps/low"); got != "example.com/deps/low is compiled" {
			t.Errorf("%s: %s", deps, got)
		}
		if got := list("-n", "example.com/deps/middle"); strings.HasSuffix(got, "is compiled") != (deps == load.Export) {
			t.Errorf("%s: %s", deps, got)
		}
	}
}
