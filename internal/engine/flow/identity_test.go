package flow

import (
	"bytes"
	"encoding/gob"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/txtar"

	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
)

// stubs are as much of the libraries as the tests call.
const stubs = `
-- time/time.go --
package time

type Time struct{ ns int64 }

func Now() Time { return Time{} }

func (t Time) String() string { return "" }
-- sigs.k8s.io/controller-runtime/pkg/client/client.go --
package client

type Object interface{ GetName() string }

type Writer interface {
	Create(ctx any, obj Object, opts ...any) error
	Update(ctx any, obj Object, opts ...any) error
}

type Client interface{ Writer }
`

// TestCallbacksAreKeptApart reaches a write for each of several functions that a
// helper calls, or for each time that it calls one.
func TestCallbacksAreKeptApart(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, source string
	}{
		{"methods of one object", `
type steps interface{ First(c client.Client); Second(c client.Client) }

type mine struct{}

func (mine) First(c client.Client)  { c.Create(nil, &A{}) }
func (mine) Second(c client.Client) { c.Create(nil, &B{}) }

type other struct{}

func (other) First(c client.Client)  {}
func (other) Second(c client.Client) {}

func run(s steps, c client.Client) { s.First(c); s.Second(c) }

func all(s steps, c client.Client) { run(s, c) }

func Reconcile(c client.Client) { all(mine{}, c) }`},
		{"fields with names of one length", `
type hooks struct{ Pre, Fin func() }

func with(pre, fin func()) hooks { return hooks{pre, fin} }

func run(h hooks) { h.Pre(); h.Fin() }

func all(h hooks) { run(h) }

func Reconcile(c client.Client) {
	all(with(func() { c.Create(nil, &A{}) }, func() { c.Create(nil, &B{}) }))
}`},
		{"one literal called twice", `
func run(write func(client.Object)) { write(&A{}); write(&B{}) }

func Reconcile(c client.Client) {
	run(func(o client.Object) { c.Create(nil, o) })
}`},
		{"one function called twice", `
type r struct{ c client.Client }

func (r r) write(o client.Object) { r.c.Create(nil, o) }

func run(write func(client.Object)) { write(&A{}); write(&B{}) }

func Reconcile(c client.Client) { run(r{c}.write) }`},
		{"one of two functions", `
func Reconcile(c client.Client, update bool) {
	write := func(o client.Object) { c.Create(nil, &A{}) }
	if update {
		write = func(o client.Object) { c.Update(nil, &B{}) }
	}
	write(nil)
}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := load(t, `
-- example.com/p/p.go --
package p

import "sigs.k8s.io/controller-runtime/pkg/client"

type A struct{}

func (*A) GetName() string { return "" }

type B struct{}

func (*B) GetName() string { return "" }
`+tt.source)["example.com/p"]
			var written []string
			for _, ev := range p.Events(p.Lookup("example.com/p.Reconcile")) {
				if !strings.HasPrefix(ev.Callee, "(sigs.k8s.io/controller-runtime/pkg/client.Writer)") {
					continue
				}
				for _, o := range ev.Args[2].Objects {
					written = append(written, o.Type)
				}
			}
			if want := []string{"example.com/p.A", "example.com/p.B"}; !slices.Equal(written, want) {
				t.Errorf("written are %q, want %q", written, want)
			}
		})
	}
}

// TestSourcesAreKeptApart writes a time under a condition that another time feeds,
// which another package asks for in a file of the same name, on the same line.
func TestSourcesAreKeptApart(t *testing.T) {
	t.Parallel()
	p := load(t, `
-- example.com/due/util.go --
package due

import "time"

func Now() string { return time.Now().String() }
-- example.com/stamp/util.go --
package stamp

import "time"

func Now() string { return time.Now().String() }
-- example.com/p/p.go --
package p

import (
	"example.com/due"
	"example.com/stamp"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type A struct{ Due, Stamp string }

func (*A) GetName() string { return "" }

func Reconcile(c client.Client, old *A) {
	a := &A{Due: due.Now(), Stamp: stamp.Now()}
	if a.Due != old.Due {
		c.Update(nil, a)
	}
}
`)["example.com/p"]
	events := p.Events(p.Lookup("example.com/p.Reconcile"))
	if len(events) != 1 || len(events[0].Guards) != 1 {
		t.Fatalf("found %+v, want a write under a guard", events)
	}
	feeds := make(map[string]bool)
	for _, f := range events[0].Args[2].Objects[0].Fields {
		if f.Label.IsSource() {
			feeds[f.Path.String()+" of "+f.Label.At.Package()] = Feeds(f.Label, events[0].Guards[0])
		}
	}
	if len(feeds) != 2 || !feeds["Due of example.com/due"] || feeds["Stamp of example.com/stamp"] {
		t.Errorf("what feeds the guard is %v", feeds)
	}
}

// TestKeysAreKeptApart puts a time under one key of a map and a constant under one
// that looks like it.
func TestKeysAreKeptApart(t *testing.T) {
	t.Parallel()
	p := load(t, `
-- example.com/p/p.go --
package p

import (
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

type A struct{ Data map[string]string }

func (*A) GetName() string { return "" }

func Reconcile(c client.Client) {
	a := &A{Data: map[string]string{}}
	a.Data["built~at"] = time.Now().String()
	a.Data["built-at"] = "Monday"
	c.Update(nil, a)
}
`)["example.com/p"]
	var paths []string
	for _, ev := range p.Events(p.Lookup("example.com/p.Reconcile")) {
		for _, f := range ev.Args[2].Objects[0].Fields {
			paths = append(paths, f.Path.String())
		}
	}
	if want := []string{`Data["built~at"]`}; !slices.Equal(paths, want) {
		t.Errorf("a time lies at %q, want %q", paths, want)
	}
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	places := []Place{
		{},
		{"example.com/a/util.go", 9, 2},
		{"example.com/a/util.go", 9, 10},
		{"example.com/a/util.go", 12, 2},
		{"example.com/a/z.go", 1, 1},
		{"example.com/b/util.go", 9, 2},
	}
	for i, p := range places {
		for j, q := range places {
			if got := p.Compare(q); (got < 0) != (i < j) || (got == 0) != (i == j) {
				t.Errorf("%v compared with %v: %d", p, q, got)
			}
		}
	}
	if got := places[3].String(); got != "util.go:12" {
		t.Errorf("a place is shown as %q", got)
	}
}

// load analyses the packages of the archive, in their order, and of the stubs.
// The name of a file is the path of its package and its own.
func load(t *testing.T, archive string) map[string]*Package {
	t.Helper()
	fset := token.NewFileSet()
	files := make(map[string][]*ast.File)
	var order []string
	for _, f := range txtar.Parse([]byte(stubs + archive)).Files {
		file, err := parser.ParseFile(fset, f.Name, f.Data, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		pkg := path.Dir(f.Name)
		if files[pkg] == nil {
			order = append(order, pkg)
		}
		files[pkg] = append(files[pkg], file)
	}
	loaded := make(packages)
	facts := make(map[types.Object][]byte)
	results := make(map[string]*Package)
	for _, name := range order {
		info := &types.Info{
			Types: make(map[ast.Expr]types.TypeAndValue), Instances: make(map[*ast.Ident]types.Instance),
			Defs: make(map[*ast.Ident]types.Object), Uses: make(map[*ast.Ident]types.Object),
			Implicits: make(map[ast.Node]types.Object), Selections: make(map[*ast.SelectorExpr]*types.Selection),
			Scopes: make(map[ast.Node]*types.Scope), FileVersions: make(map[*ast.File]string),
		}
		config := &types.Config{Importer: loaded}
		pkg, err := config.Check(name, fset, files[name], info)
		if err != nil {
			t.Fatal(err)
		}
		loaded[name] = pkg
		pass := &analysis.Pass{Fset: fset, Files: files[name], Pkg: pkg, TypesInfo: info, ResultOf: make(map[*analysis.Analyzer]any)}
		if strings.HasPrefix(name, "example.com/") {
			pass.Module = &analysis.Module{Path: "example.com"}
		}
		pass.ExportObjectFact = func(obj types.Object, fact analysis.Fact) {
			var buf bytes.Buffer
			if err := gob.NewEncoder(&buf).Encode(fact); err != nil {
				t.Fatal(err)
			}
			facts[obj] = buf.Bytes()
		}
		pass.ImportObjectFact = func(obj types.Object, fact analysis.Fact) bool {
			if facts[obj] == nil {
				return false
			}
			if err := gob.NewDecoder(bytes.NewReader(facts[obj])).Decode(fact); err != nil {
				t.Fatal(err)
			}
			return true
		}
		pass.ExportPackageFact = func(analysis.Fact) {}
		pass.AllPackageFacts = func() []analysis.PackageFact { return nil }
		for _, a := range []*analysis.Analyzer{rule.Options, ssair.Analyzer, Analyzer} {
			pass.Analyzer = a
			if pass.ResultOf[a], err = a.Run(pass); err != nil {
				t.Fatal(err)
			}
		}
		results[name] = pass.ResultOf[Analyzer].(*Package)
	}
	return results
}

// packages is an importer of packages that are already there.
type packages map[string]*types.Package

func (p packages) Import(name string) (*types.Package, error) { return p[name], nil }
