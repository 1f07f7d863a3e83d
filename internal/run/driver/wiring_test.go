package driver_test

import (
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/run/cache"
	"github.com/operatorvet/operatorvet/internal/run/driver"
	"github.com/operatorvet/operatorvet/internal/run/load"
	"github.com/operatorvet/operatorvet/internal/wiring"
)

const wired = `
-- go.mod --
module example.com/m

go 1.25.0
-- main.go --
package main

import (
	"time"

	"example.com/m/controller"
	"example.com/m/service"
)

func main() {
	controller.New(&service.Service{}, time.Sleep).Run()
}
-- controller/controller.go --
package controller

import "time"

type Starter interface{ Start() }

type Controller struct {
	starter Starter
	sleep   func(time.Duration)
}

func New(s Starter, sleep func(time.Duration)) *Controller {
	return &Controller{starter: s, sleep: sleep}
}

func (c *Controller) Run() { c.starter.Start(); c.sleep(time.Second) }
-- controller/controller_test.go --
package controller

type fake struct{}

func (fake) Start() {}

var _ = New(fake{}, nil)
-- service/service.go --
package service

type Service struct{}

func (*Service) Start() {}
-- service/service_test.go --
package service

func pause() {}
`

// views reports what the view of each package says. It exports a fact about each
// package, and reports those of the packages that the view tells of.
var views = &analysis.Analyzer{
	Name:      "views",
	Doc:       "report views",
	Requires:  []*analysis.Analyzer{wiring.Analyzer},
	FactTypes: []analysis.Fact{new(depth)},
	Run: func(pass *analysis.Pass) (any, error) {
		view := wiring.Of(pass)
		for _, line := range view.Debug() {
			pass.Reportf(pass.Files[0].Name.Pos(), "%s", line)
		}
		for _, p := range view.Needs() {
			if pass.ImportPackageFact(p, new(depth)) {
				pass.Reportf(pass.Files[0].Name.Pos(), "knows %s", p.Path())
			}
		}
		pass.ExportPackageFact(new(depth))
		return nil, nil
	},
}

func wiredTree(t *testing.T) tree {
	t.Helper()
	tr := tree{t.TempDir(), t.TempDir()}
	if err := txtar.Write(txtar.Parse([]byte(wired)), tr.dir); err != nil {
		t.Fatal(err)
	}
	return tr
}

// runViews runs views over the patterns, with a cache. It returns what was
// reported and the packages that were analysed, and checks that the report is the
// same without a cache.
func (tr tree) runViews(t *testing.T, patterns ...string) (reported, analysed []string) {
	t.Helper()
	var mu sync.Mutex
	spy := *views
	spy.Run = func(pass *analysis.Pass) (any, error) {
		mu.Lock()
		defer mu.Unlock()
		analysed = append(analysed, strings.TrimPrefix(pass.Pkg.Path(), "example.com/"))
		return views.Run(pass)
	}
	run := func(a *analysis.Analyzer, c *cache.Cache) *driver.Report {
		rep, err := driver.Run(load.Config{Dir: tr.dir, Patterns: patterns, Tests: true, Deps: load.Source}, []*analysis.Analyzer{a}, c)
		if err != nil || len(rep.Failures) > 0 {
			t.Fatal(err, rep.Failures)
		}
		return rep
	}
	got := run(&spy, cache.In(tr.cache))
	if want := run(views, nil); !reflect.DeepEqual(got, want) {
		t.Errorf("with the cache\n%s\nwithout\n%s", strings.Join(messages(got), "\n"), strings.Join(messages(want), "\n"))
	}
	slices.Sort(analysed)
	return messages(got), slices.Compact(analysed)
}

// A package sees what main puts into its fields, and the facts of the types that
// are behind its interfaces, which it does not import.
func TestViewOfTheModule(t *testing.T) {
	t.Parallel()
	tr := wiredTree(t)
	want := []string{
		"controller.go:1 Controller.sleep holds time.Sleep",
		"controller.go:1 Controller.starter holds service.Service",
		"controller.go:1 Starter is implemented by service.Service",
		"controller.go:1 knows example.com/m/service",
	}
	for _, patterns := range [][]string{{"./..."}, {"example.com/m/..."}} {
		if got, _ := tr.runViews(t, patterns...); !slices.Equal(got, want) {
			t.Errorf("%v: got\n%s", patterns, strings.Join(got, "\n"))
		}
	}
}

// A library that imports packages of the module is looked at like these: it may put
// something into their fields, too.
func TestViewOfUsersOutside(t *testing.T) {
	t.Parallel()
	tr := wiredTree(t)
	tr.write(t, "go.mod", "module example.com/m\n\ngo 1.25.0\n\nrequire example.com/tool v0.0.0\n\nreplace example.com/tool => ./tool\n")
	tr.write(t, "tool/go.mod", "module example.com/tool\n\ngo 1.25.0\n\nrequire example.com/m v0.0.0\n")
	tr.write(t, "tool/tool.go", "package tool\n\nimport \"example.com/m/controller\"\n\ntype starter struct{}\n\nfunc (starter) Start() {}\n\n"+
		"func Use() { controller.New(starter{}, nil).Run() }\n")
	tr.write(t, "use.go", "package main\n\nimport \"example.com/tool\"\n\nfunc init() { tool.Use() }\n")
	want := []string{
		"controller.go:1 Controller.sleep holds time.Sleep",
		"controller.go:1 Controller.starter holds service.Service, tool.starter",
		"controller.go:1 Starter is implemented by service.Service, tool.starter",
		"controller.go:1 knows example.com/m/service",
	}
	if got, _ := tr.runViews(t, "./..."); !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

// A run that does not see the whole module knows nothing of it.
func TestNoViewOfAPart(t *testing.T) {
	t.Parallel()
	tr := wiredTree(t)
	for _, patterns := range [][]string{{"."}, {"./controller"}, {"./controller/..."}, {".", "./controller", "./service"}} {
		if got, _ := tr.runViews(t, patterns...); len(got) > 0 {
			t.Errorf("%v: got\n%s", patterns, strings.Join(got, "\n"))
		}
	}
}

// With a cache, a package is analysed again if its view has changed, or a package
// that the view tells of, although its own code is the same.
func TestCacheKnowsViews(t *testing.T) {
	t.Parallel()
	tr := wiredTree(t)
	step := func(what string, want ...string) {
		t.Helper()
		if _, got := tr.runViews(t, "./..."); !slices.Equal(got, want) {
			t.Errorf("%s: analysed %q, want %q", what, got, want)
		}
	}
	main := func(sleep string) {
		tr.write(t, "main.go", "package main\n\nimport (\n\t\"time\"\n\n\t\"example.com/m/controller\"\n\t\"example.com/m/service\"\n)\n\nfunc main() {\n\tcontroller.New(&service.Service{}, "+sleep+").Run()\n}\n\nvar _ = time.Second\n")
	}
	step("first run", "m", "m/controller", "m/service")
	step("nothing changed")
	main("time.Sleep")
	step("main changed, but not what it wires", "m")
	main("func(time.Duration) {}")
	step("another function", "m", "m/controller")
	tr.write(t, "service/service.go", "package service\n\ntype Service struct{ N int }\n\nfunc (*Service) Start() {}\n")
	step("a type behind an interface changed", "m", "m/controller", "m/service")
}

// A view may be had by a rule as by any analyzer.
func TestViewOfRules(t *testing.T) {
	t.Parallel()
	seen := ruleOf("seen", func(pass *rule.Pass) error {
		for _, line := range wiring.Of(pass.Pass).Debug() {
			pass.Reportf(pass.Files[0].Name, "%s", line)
		}
		return nil
	}, wiring.Analyzer)
	rep := run(t, strings.SplitN(wired, "go 1.25.0\n", 2)[1], seen)
	if got := messages(rep); len(got) != 3 {
		t.Errorf("got %q", got)
	}
}
