// Package load answers which packages a run analyses, and with which types.
//
// The go command lists the packages. Those to analyse are the packages that the
// user named and the relevant ones below them; they are type-checked here from
// syntax. All others, well over a thousand for an operator, only provide the
// types that these mention. The types of what has been compiled come from the
// compiler's export data, all others from declarations, parsed without function
// bodies; see [Deps].
//
// With a cache, a package is not analysed again if its code and the code of all
// that it imports are the same as in an earlier run; see [Memory]. If changed
// code mentions its types, these come from declarations.
package load

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"

	"github.com/operatorvet/operatorvet/internal/run/cache"
	"github.com/operatorvet/operatorvet/internal/wiring"
)

// Config says what to load.
type Config struct {
	// Context, if not nil, ends the run, and what the go command does for it.
	Context context.Context

	Dir        string   // directory to run the go command in
	Patterns   []string // as for the go command
	BuildFlags []string // as for the go command
	Tests      bool     // whether test files belong to their packages
	Deps       Deps

	// Relevant reports whether the code of a dependency is to be looked at, if
	// any but tests import it. The package has names, files, imports and module,
	// but no types.
	Relevant func(*packages.Package) bool

	// Visit, if not nil, is called once for each well-typed package among those
	// that match and those that are relevant, after it has been called for all
	// in its Imports. Calls may be concurrent. The package's syntax and what the
	// type checker says about it are dropped afterwards: only so many packages
	// are in memory as there are processors.
	//
	// It returns what Memory is to keep of the visit, or nil if that cannot be
	// relied on in a later run.
	Visit func(pkg *packages.Package, view *wiring.View, matched bool) []byte

	// Surveyed, if not nil, reports whether a file takes part in the views of the
	// packages; see package wiring. If it is nil, they have none.
	Surveyed func(file string) bool

	// Memory, if not nil, spares visits that a former run has made.
	Memory *Memory

	// Progress, if not nil, is told what is being done, and how many packages
	// of how many are done with. Calls may be concurrent.
	Progress func(stage string, done, total int)
}

// Memory is how a run uses the results of earlier runs.
type Memory struct {
	Cache *cache.Cache

	// Roots is filled in before the first package is recalled or visited.
	Roots Roots

	// SaltOf returns what the visit of a package depends on besides code.
	SaltOf func(*packages.Package) string

	// Recall is called with what Visit has returned for the package in a former
	// run, and reports whether that will do in place of a visit. The package has
	// no types yet; it has them before any importer is visited.
	Recall func(pkg *packages.Package, matched bool, kept []byte) bool
}

// Deps says where the types of irrelevant dependencies come from.
type Deps string

const (
	// Auto reads the compiler's export data of the dependencies that the build
	// cache has, which is fastest, and parses declarations of the others. Nothing
	// is compiled, which could take minutes. What is found does not depend on it.
	Auto Deps = "auto"

	// Export makes the go command compile what its build cache lacks. Only a
	// dependency that does not compile is parsed.
	Export Deps = "export"

	// Source parses declarations of all dependencies. Nothing is compiled.
	Source Deps = "source"
)

// Program is what was loaded.
type Program struct {
	// Packages are those that the patterns name and that type-check, sorted by
	// ID, without those recalled from a former run. A package with test files is
	// the variant that includes them.
	//
	// Their Imports are cut down to relevant packages: a package imports the
	// relevant ones that it reaches through irrelevant ones only. A go/analysis
	// driver that follows Imports for facts so sees all of those that matter.
	Packages []*packages.Package

	// Failures are the packages under development that do not type-check,
	// sorted by path.
	Failures []Failure
}

// Failure says why a package is not analysed.
type Failure struct {
	Package string // path; "" if it is the pattern that failed
	Pos     string // file:line:col of the first error, or ""
	Message string // one line
}

// ErrNoPackages is the error for patterns that match nothing.
var ErrNoPackages = errors.New("no packages matched")

// Load loads the packages that the patterns match.
func Load(cfg Config) (*Program, error) {
	if cfg.Progress == nil {
		cfg.Progress = func(string, int, int) {}
	}
	if cfg.Context == nil {
		cfg.Context = context.Background()
	}
	prog, err := load(&cfg)
	if cfg.Context.Err() != nil {
		return nil, context.Cause(cfg.Context)
	}
	return prog, err
}

func load(cfg *Config) (*Program, error) {
	cfg.Progress("listing packages", 0, 0)
	matched, err := list(cfg)
	if err != nil {
		return nil, err
	}
	roots, shadowed := withoutShadowed(matched)
	if len(roots) == 0 {
		return nil, fmt.Errorf("%w %s", ErrNoPackages, strings.Join(cfg.Patterns, " "))
	}
	if err := cfg.checkPatterns(roots); err != nil {
		return nil, err
	}
	g := newGraph(cfg, roots, shadowed)
	k := &keys{graph: g, files: make(map[string]cache.Key), releases: make(map[string]string)}
	if cfg.Memory != nil {
		cfg.Progress("comparing with former runs", 0, 0)
		k.readFiles()
	}
	g.findWiring(k)
	if cfg.Memory != nil {
		cfg.Memory.Roots = g.roots()
		k.find()
		g.recall()
	}
	if err := g.findCgo(); err != nil {
		return nil, err
	}
	if err := g.findDependencies(); err != nil {
		return nil, err
	}
	g.process()
	return g.program(), nil
}

// withoutShadowed drops two kinds of packages from the matched ones: the
// generated main packages of tests, and each package that is also there in the
// variant with its test files. Go vet does the same. It also returns the latter
// packages, by path.
func withoutShadowed(matched []*packages.Package) (roots []*packages.Package, shadowed map[string]*packages.Package) {
	tested := make(map[string]bool)    // paths of packages with any tests
	augmented := make(map[string]bool) // those with tests in the package itself
	shadowed = make(map[string]*packages.Package)
	for _, pkg := range matched {
		if pkg.ForTest != "" {
			tested[pkg.ForTest] = true
			if pkg.PkgPath == pkg.ForTest {
				augmented[pkg.PkgPath] = true
			}
		}
	}
	for _, pkg := range matched {
		path, isMain := strings.CutSuffix(pkg.ID, ".test")
		switch {
		case isMain && tested[path]:
		case pkg.ForTest == "" && augmented[pkg.PkgPath]:
			shadowed[pkg.PkgPath] = pkg
		default:
			roots = append(roots, pkg)
		}
	}
	slices.SortFunc(roots, func(a, b *packages.Package) int { return strings.Compare(a.ID, b.ID) })
	return roots, shadowed
}

// graph is the import graph of a run.
type graph struct {
	cfg   *Config
	fset  *token.FileSet
	nodes []*node // imports before importers

	reading sync.Mutex // held while export data are read
	byID    map[string]*node

	module *wiring.Module // nil if the packages have no views
}

// node is a package in the graph.
type node struct {
	*packages.Package
	imports []*node // sorted by ID
	needs   []*node // packages that the view tells of and that it does not import
	root    bool
	used    bool // by other code than tests
	from    origin
	done    chan struct{} // closed when the types are there, and it was visited

	// analysable are the packages to look at that n reaches through none of
	// their kind, by ID.
	analysable map[string]*packages.Package

	key      cache.Key // of all that the package depends on; see findKeys
	recalled bool      // not visited, because a former run has
	fleeting bool      // what is found out here and in importers is not kept

	// unsound is "" if what the package declares is well-typed, whatever is
	// wrong inside its functions. Otherwise it is the path of the package to
	// blame, itself or one that it imports.
	unsound string
}

// origin says where a package's types come from.
type origin int

const (
	fromNothing     origin = iota // nobody needs more than what export data of others mention
	fromSyntax                    // type-checked with function bodies, and kept
	fromDeclaration               // type-checked without function bodies
	fromExport                    // export data
)

func newGraph(cfg *Config, roots []*packages.Package, shadowed map[string]*packages.Package) *graph {
	g := &graph{cfg: cfg, fset: token.NewFileSet(), byID: make(map[string]*node)}
	for _, pkg := range roots {
		g.add(pkg).root = true
	}
	for _, pkg := range roots {
		g.findUsed(pkg, shadowed[pkg.PkgPath])
	}
	for _, n := range g.nodes {
		if n.PkgPath != "unsafe" && (n.root || n.used && cfg.Relevant(n.Package)) {
			n.from = fromSyntax
		}
	}
	return g
}

// findUsed marks the packages that a root imports, directly or not, other than
// in its test files. If the root includes test files, shadowed is the same
// package without them.
func (g *graph) findUsed(root, shadowed *packages.Package) {
	var use func(n *node)
	use = func(n *node) {
		if n.used {
			return
		}
		n.used = true
		for _, imp := range n.imports {
			use(imp)
		}
	}
	switch {
	case root.ForTest == "":
		use(g.byID[root.ID])
	case root.ForTest == root.PkgPath && shadowed != nil:
		for path := range shadowed.Imports {
			if imp := root.Imports[path]; imp != nil {
				use(g.byID[imp.ID])
			}
		}
	}
}

// add returns the node of a package. If there is none yet it makes one, after
// the nodes of the package's imports.
func (g *graph) add(pkg *packages.Package) *node {
	if n := g.byID[pkg.ID]; n != nil {
		return n
	}
	n := &node{Package: pkg, done: make(chan struct{})}
	g.byID[pkg.ID] = n
	for path, imp := range pkg.Imports {
		of := g.add(imp)
		pkg.Imports[path] = of.Package
		n.imports = append(n.imports, of)
	}
	slices.SortFunc(n.imports, func(a, b *node) int { return strings.Compare(a.ID, b.ID) })
	g.nodes = append(g.nodes, n)
	return n
}

// underDevelopment reports whether the package belongs to a module that the
// user can edit.
func (n *node) underDevelopment() bool {
	return n.Module != nil && n.Module.Version == ""
}

// program turns the graph into the result of loading.
func (g *graph) program() *Program {
	prog := new(Program)
	for _, n := range g.nodes {
		if n.IllTyped && (n.root || n.underDevelopment()) {
			prog.Failures = append(prog.Failures, g.cfg.hint(n.failure()))
		}
		if n.root && n.visitable() {
			prog.Packages = append(prog.Packages, n.Package)
		}
	}
	slices.SortFunc(prog.Packages, func(a, b *packages.Package) int { return strings.Compare(a.ID, b.ID) })
	slices.SortFunc(prog.Failures, func(a, b Failure) int { return strings.Compare(a.Package, b.Package) })
	// A package and its test variant fail alike.
	prog.Failures = slices.CompactFunc(prog.Failures, func(a, b Failure) bool { return a.Package == b.Package })
	return prog
}

// visitable reports whether the package can be analysed.
func (n *node) visitable() bool { return n.from == fromSyntax && !n.IllTyped }

// analysed reports whether the package is analysed, in this run or in an earlier
// one.
func (n *node) analysed() bool { return n.visitable() || n.recalled }

// findAnalysable fills in n.analysable, given the same for earlier packages.
func (n *node) findAnalysable() {
	n.analysable = make(map[string]*packages.Package)
	for _, imp := range n.earlier() {
		if imp.analysed() {
			n.analysable[imp.ID] = imp.Package
			continue
		}
		for id, pkg := range imp.analysable {
			n.analysable[id] = pkg
		}
	}
}
