package load

import (
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// list asks the go command for the packages that match and for all that they
// import. It compiles nothing.
func list(cfg *Config) ([]*packages.Package, error) {
	sizes := make(chan types.Sizes, 1)
	go func() { sizes <- sizesIn(cfg) }()
	pkgs, err := ask(cfg, packages.NeedName|packages.NeedFiles|packages.NeedEmbedFiles|packages.NeedImports|packages.NeedDeps|
		packages.NeedModule|packages.NeedForTest, cfg.Tests, cfg.Patterns)
	if err != nil {
		return nil, err
	}
	of := <-sizes
	packages.Visit(pkgs, nil, func(pkg *packages.Package) { pkg.TypesSizes = of })
	for _, pkg := range pkgs {
		// The go command goes on without a module, as far as it comes.
		if len(pkg.Errors) > 0 && len(pkg.GoFiles) == 0 && !inModule(cfg) {
			return nil, fmt.Errorf("no go.mod in %s or above it", cfg.Dir)
		}
	}
	return pkgs, nil
}

// sizesIn returns the sizes of types on the platform that packages in the
// directory are built for. Package packages would find them only if it also made
// the go command run cgo, which doubles the time to list the packages.
func sizesIn(cfg *Config) types.Sizes {
	out, err := goCommand(cfg, "env", "GOARCH").Output()
	arch := strings.TrimSpace(string(out))
	if err != nil {
		arch = runtime.GOARCH // the go command will say what is wrong
	}
	return types.SizesFor("gc", arch)
}

// inModule reports whether the go command finds a module or a workspace.
func inModule(cfg *Config) bool {
	out, err := goCommand(cfg, "env", "GOMOD", "GOWORK").Output()
	for _, file := range strings.Fields(string(out)) {
		if file != os.DevNull && file != "off" {
			return true
		}
	}
	return err != nil
}

// ask runs the go command. Its errors come back as one line.
func ask(cfg *Config, mode packages.LoadMode, tests bool, patterns []string) ([]*packages.Package, error) {
	pkgs, err := packages.Load(&packages.Config{
		Context:    cfg.Context,
		Mode:       mode,
		Dir:        cfg.Dir,
		Env:        os.Environ(),
		BuildFlags: cfg.BuildFlags,
		Tests:      tests,
		Fset:       token.NewFileSet(), // not used: nothing is parsed
	}, patterns...)
	if err != nil {
		return nil, fmt.Errorf("%s", sayGoError(err.Error()))
	}
	return pkgs, nil
}

// findDependencies decides where to get the types of packages that are imported
// by the packages to analyse, or by those whose declarations are parsed.
func (g *graph) findDependencies() error {
	var deps []*node
	seen := make(map[*node]bool)
	for _, n := range g.nodes {
		if n.from == fromNothing {
			continue
		}
		for _, imp := range n.imports {
			if imp.from == fromNothing && imp.PkgPath != "unsafe" && !seen[imp] {
				seen[imp] = true
				deps = append(deps, imp)
			}
		}
	}
	if g.cfg.Deps != Source {
		if err := g.findExportFiles(deps); err != nil {
			return err
		}
	}
	for _, n := range deps {
		n.provide()
	}
	return nil
}

// findExportFiles finds the export data of the packages, and of all that they
// import, unless an earlier run has found them. A package that is a test variant
// cannot be named, and has none.
func (g *graph) findExportFiles(deps []*node) error {
	var unknown []*node
	var paths []string
	anyKnown := false
	for _, n := range deps {
		n.ExportFile = g.exportFile(n)
		if n.ExportFile != "" {
			anyKnown = true
		} else if n.ID == n.PkgPath {
			unknown = append(unknown, n)
			paths = append(paths, n.PkgPath)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	g.cfg.Progress("finding export data", 0, 0)
	var files map[string]string
	all := true
	var err error
	if g.cfg.Deps == Auto && !anyKnown {
		files, all, err = g.sample()
	}
	if err == nil && all {
		files, err = exportFiles(g.cfg, paths)
	}
	if err != nil {
		return err
	}
	for path, file := range files {
		if n := g.byID[path]; n != nil && n.ExportFile == "" {
			n.ExportFile = file
		}
	}
	for _, n := range unknown {
		if n.ExportFile != "" {
			g.keepExportFile(n)
		}
	}
	return nil
}

// sample asks the go command for the export data of one package, and of what it imports, to
// know whether to ask for all: to answer that, it hashes all files, and prints how to compile
// what is not up to date, which costs more than a little export data saves.
//
// In a new build cache, nothing is up to date: not even the package of the standard library
// that most others import, of those that import nothing themselves, such as sync/atomic. After
// an update of Kubernetes, only the standard library is. What imports something that is not up
// to date is not, either, so the package of another module that most others import tells, such
// as k8s.io/apimachinery/pkg/apis/meta/v1.
func (g *graph) sample() (files map[string]string, all bool, err error) {
	importers := make(map[*node]int)
	for _, n := range g.byID {
		for _, imp := range n.imports {
			importers[imp]++
		}
	}
	most := func(is func(n *node) bool) (path string) {
		max := 0
		for n, count := range importers {
			if (count > max || count == max && n.PkgPath < path) && n.PkgPath != "unsafe" && n.ID == n.PkgPath && is(n) {
				path, max = n.PkgPath, count
			}
		}
		return path
	}
	ofStandardLibrary := most(func(n *node) bool {
		return n.Module == nil && !slices.ContainsFunc(n.imports, func(imp *node) bool { return imp.PkgPath != "unsafe" })
	})
	ofModule := most(func(n *node) bool { return n.Module != nil && !n.underDevelopment() })
	for _, path := range []string{ofStandardLibrary, ofModule} {
		if path == "" {
			continue
		}
		if files, err = exportFiles(g.cfg, []string{path}); err != nil || files[path] == "" {
			return files, false, err
		}
	}
	return files, true, nil
}

// exportFiles asks the go command for the export data of the packages and of all
// that they import. It returns the files by path.
//
// With the flag -n, the go command compiles nothing: it prints how it would, and
// knows files only of packages that are up to date.
func exportFiles(cfg *Config, paths []string) (map[string]string, error) {
	args := append([]string{"list", "-e", "-export", "-deps", "-pgo=off", "-buildvcs=false", "-f={{.ImportPath}}\t{{.Export}}"}, cfg.BuildFlags...)
	if cfg.Deps == Auto {
		args = append(args, "-n")
	}
	files := make(map[string]string)
	for len(paths) > 0 {
		line := paths[:fitting(paths)]
		paths = paths[len(line):]
		out, err := goCommand(cfg, slices.Concat(args, []string{"--"}, line)...).Output()
		var exit *exec.ExitError
		if err != nil && !(errors.As(err, &exit) && len(out) > 0) { // a package that does not compile has no file
			return nil, fmt.Errorf("%s", sayGoError(complaint(err)))
		}
		for row := range strings.Lines(string(out)) {
			if path, file, _ := strings.Cut(strings.TrimSuffix(row, "\n"), "\t"); file != "" {
				files[path] = file
			}
		}
	}
	return files, nil
}

// fitting returns how many arguments fit into a command line, at least one.
func fitting(args []string) int {
	room := 100_000
	if runtime.GOOS == "windows" {
		room = 30_000
	}
	for i, arg := range args {
		if room -= len(arg) + 1; room < 0 && i > 0 {
			return i
		}
	}
	return len(args)
}

// complaint returns what a command has said about its failure.
func complaint(err error) string {
	var exit *exec.ExitError
	if errors.As(err, &exit) && len(exit.Stderr) > 0 {
		return string(exit.Stderr)
	}
	return err.Error()
}

// provide decides where the types of a package come from: from its export data if
// it has any. Otherwise they come from its declarations, which need the types of
// the packages that it imports. All that a package with export data imports is up
// to date, too, so export data never mention what has changed since.
func (n *node) provide() {
	switch {
	case n.from != fromNothing || n.PkgPath == "unsafe":
	case n.ExportFile != "":
		n.from = fromExport
	default:
		n.from = fromDeclaration
		for _, imp := range n.imports {
			imp.provide()
		}
	}
}

// findCgoOutput replaces the files of packages that use cgo by the output of
// cgo. The go command needs a C compiler for it. The new files have more
// imports.
func (g *graph) findCgoOutput(using []*node) error {
	var paths []string
	tests := false
	for _, n := range using {
		path := n.PkgPath
		if n.ForTest != "" {
			path, tests = n.ForTest, true
		}
		paths = append(paths, path)
	}
	pkgs, err := ask(g.cfg, packages.NeedName|packages.NeedFiles|packages.NeedCompiledGoFiles|packages.NeedImports|packages.NeedDeps|
		packages.NeedModule|packages.NeedForTest, tests, paths)
	if err != nil {
		return err
	}
	byID := make(map[string]*packages.Package)
	for _, pkg := range pkgs {
		byID[pkg.ID] = pkg
	}
	for _, n := range using {
		pkg := byID[n.ID]
		// Without output there are the files as they are.
		if pkg == nil || slices.Equal(pkg.CompiledGoFiles, pkg.GoFiles) {
			n.Errors = append(n.Errors, whyNoCgo(pkg)...)
			continue
		}
		n.Errors = append(n.Errors, pkg.Errors...)
		n.CompiledGoFiles = pkg.CompiledGoFiles
		for path, imp := range pkg.Imports {
			if n.Imports[path] == nil {
				of := g.add(imp)
				n.Imports[path] = of.Package
				n.imports = append(n.imports, of)
			}
		}
	}
	return nil
}

// whyNoCgo returns the errors of a package without cgo output: its own, or else
// those of the packages that support cgo.
func whyNoCgo(pkg *packages.Package) []packages.Error {
	if pkg != nil {
		if len(pkg.Errors) > 0 {
			return pkg.Errors
		}
		if support := pkg.Imports["runtime/cgo"]; support != nil && len(support.Errors) > 0 {
			return support.Errors
		}
	}
	return []packages.Error{{Msg: "the go command has no cgo output for this package", Kind: packages.ListError}}
}
