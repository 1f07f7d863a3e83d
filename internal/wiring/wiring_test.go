package wiring

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write the answers into the cases")

// TestAnswers compares the answers about the modules in testdata with those that
// the files say. A folder of an archive is a package m/FOLDER.
func TestAnswers(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			arc, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := describe(moduleOf(t, arc))
			i := slices.IndexFunc(arc.Files, func(f txtar.File) bool { return f.Name == "want" })
			if i < 0 {
				i = len(arc.Files)
				arc.Files = append(arc.Files, txtar.File{Name: "want"})
			}
			switch want := arc.Files[i].Data; {
			case bytes.Equal(got, want):
			case *update:
				arc.Files[i].Data = got
				if err := os.WriteFile(file, txtar.Format(arc), 0o666); err != nil {
					t.Fatal(err)
				}
			default:
				t.Errorf("got:\n%swant:\n%s", got, want)
			}
		})
	}
}

// TestViewsAtOnce takes the views of packages that are part of no program, as
// goroutines of the command do. Answering must not change the module.
func TestViewsAtOnce(t *testing.T) {
	t.Parallel()
	var surveys []*Survey
	for i := range 200 {
		surveys = append(surveys, &Survey{Path: fmt.Sprintf("m/p%d", i), Imports: []string{"fmt"}})
	}
	m := NewModule(surveys)
	var wg sync.WaitGroup
	for _, s := range surveys {
		wg.Go(func() {
			view := m.View(types.NewPackage(s.Path, "p"), nil)
			if !view.Covers(types.NewPackage("fmt", "fmt")) {
				t.Errorf("%s does not see what it imports", s.Path)
			}
		})
	}
	wg.Wait()
}

// moduleOf returns the module in an archive.
func moduleOf(t *testing.T, arc *txtar.Archive) *Module {
	t.Helper()
	fset := token.NewFileSet()
	pkgs := make(map[string]*Package)
	for _, f := range arc.Files {
		if path.Ext(f.Name) != ".go" {
			continue
		}
		file, err := parser.ParseFile(fset, f.Name, f.Data, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		p := "m/" + path.Dir(f.Name)
		if pkgs[p] == nil {
			pkgs[p] = &Package{
				Path: p, Name: file.Name.Name,
				NameOf:   path.Base,
				InModule: func(p string) bool { return strings.HasPrefix(p, "m/") },
			}
		}
		pkgs[p].Files = append(pkgs[p].Files, file)
	}
	var surveys []*Survey
	for _, pkg := range pkgs {
		surveys = append(surveys, Collect(pkg))
	}
	return NewModule(surveys)
}

// describe writes the answers, and the packages that packages need.
func describe(m *Module) []byte {
	var b bytes.Buffer
	for _, q := range m.asked {
		a := m.answers[q.String()]
		var targets []string
		for _, t := range a.Targets {
			targets = append(targets, t.String())
		}
		if a.Every > 0 {
			targets = append(targets, a.Every.String())
		}
		fmt.Fprintf(&b, "%s: %s\n", q, strings.Join(targets, ", "))
		for _, p := range a.Promoted {
			fmt.Fprintf(&b, "  or what embeds %v with %s\n", p.Embeds, strings.Join(p.Methods, ", "))
		}
	}
	for _, p := range m.paths {
		if every, ok := m.Resync(p); ok {
			fmt.Fprintf(&b, "%s is reconciled again every %v\n", p, every)
		}
		for _, of := range m.uncachedIn(p) {
			fmt.Fprintf(&b, "%s may read %s from the server\n", p, cmp.Or(of.Name, "anything"))
		}
		if m.mixesClients(p) {
			fmt.Fprintf(&b, "%s may get a client that asks the server\n", p)
		}
		for _, name := range m.startedBy(p) {
			fmt.Fprintf(&b, "%s.%s is only started, by programs and once\n", p, name)
		}
		for _, name := range m.idleIn(p) {
			if len(m.running) > 0 {
				fmt.Fprintf(&b, "%s.%s does not run with the controllers\n", p, name)
			}
		}
		for _, name := range m.servedIn(p) {
			fmt.Fprintf(&b, "%s.%s only serves requests\n", p, name)
		}
		for _, name := range m.endlessIn(p) {
			fmt.Fprintf(&b, "%s.%s gets no context that ends\n", p, name)
		}
		if needs := m.Needs(p); len(needs) > 0 {
			fmt.Fprintf(&b, "%s needs %s\n", p, strings.Join(needs, ", "))
		}
	}
	return b.Bytes()
}
