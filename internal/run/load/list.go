package load

import (
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
	go func() { sizes <- sizesIn(cfg.Dir) }()
	pkgs, err := ask(cfg, packages.NeedName|packages.NeedFiles|packages.NeedImports|packages.NeedDeps|
		packages.NeedModule|packages.NeedForTest, cfg.Tests, cfg.Patterns)
	if err != nil {
		return nil, err
	}
	of := <-sizes
	packages.Visit(pkgs, nil, func(pkg *packages.Package) { pkg.TypesSizes = of })
	for _, pkg := range pkgs {
		// The go command goes on without a module, as far as it comes.
		if len(pkg.Errors) > 0 && len(pkg.GoFiles) == 0 && !inModule(cfg.Dir) {
			return nil, fmt.Errorf("no go.mod in %s or above it", cfg.Dir)
		}
	}
	return pkgs, nil
}

// sizesIn returns the sizes of types on the platform that packages in a
// directory are built for. Package packages would find them only if it also made
// the go command run cgo, which doubles the time to list the packages.
func sizesIn(dir string) types.Sizes {
	cmd := exec.Command("go", "env", "GOARCH")
	cmd.Dir = dir
	out, err := cmd.Output()
	arch := strings.TrimSpace(string(out))
	if err != nil {
		arch = runtime.GOARCH // the go command will say what is wrong
	}
	return types.SizesFor("gc", arch)
}

// inModule reports whether the go command finds a module or a workspace for dir.
func inModule(dir string) bool {
	cmd := exec.Command("go", "env", "GOMOD", "GOWORK")
	cmd.Dir = dir
	out, err := cmd.Output()
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
// directly by the packages to analyse, or by those whose declarations are
// parsed.
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
		for _, n := range deps {
			n.ExportFile = g.exportFile(n)
		}
		if g.cfg.Deps == Export || g.compiled(deps) {
			g.cfg.Progress("finding export data", 0, 0)
			return g.findExportData(deps)
		}
	}
	for _, n := range deps {
		n.parseInstead()
	}
	return nil
}

// compiled reports whether the build cache seems to have the dependencies. It
// checks some of them: these are up to date only if everything that they import
// is.
func (g *graph) compiled(deps []*node) bool {
	const sample = 16
	args := append([]string{"list", "-e", "-f", "{{.Stale}}"}, g.cfg.BuildFlags...)
	args = append(args, "--")
	tried, asked := 0, 0
	for i := 0; i < len(deps); i += 1 + len(deps)/sample {
		tried++
		if deps[i].ExportFile == "" {
			asked++
			args = append(args, deps[i].PkgPath)
		}
	}
	if asked == 0 {
		return true
	}
	cmd := exec.Command("go", args...)
	cmd.Dir = g.cfg.Dir
	out, err := cmd.Output()
	if err != nil {
		return true // the next question to the go command will tell
	}
	return 2*strings.Count(string(out), "true") <= tried
}

// findExportData makes the go command compile the dependencies whose export data
// are not known from an earlier run. The others are not compiled, above all not
// the packages under development. A package is loaded from declarations if it
// has no export data, or if it cannot be named by path because it is a test
// variant.
func (g *graph) findExportData(deps []*node) error {
	var paths []string
	for _, n := range deps {
		n.from = fromExport
		if n.ID == n.PkgPath && n.ExportFile == "" {
			paths = append(paths, n.PkgPath)
		}
	}
	files := make(map[string]string)
	if len(paths) > 0 {
		compiled, err := ask(g.cfg, packages.NeedName|packages.NeedExportFile, false, paths)
		if err != nil {
			return err
		}
		for _, pkg := range compiled {
			files[pkg.ID] = pkg.ExportFile
		}
	}
	for _, n := range deps {
		if n.ExportFile != "" {
			continue
		}
		if n.ExportFile = files[n.ID]; n.ExportFile == "" {
			n.parseInstead()
			continue
		}
		g.keepExportFile(n)
	}
	return nil
}

// parseInstead loads a package from declarations, together with the packages
// that it imports and whose types have no other source.
func (n *node) parseInstead() {
	n.from = fromDeclaration
	for _, imp := range n.imports {
		if imp.from == fromNothing && imp.PkgPath != "unsafe" {
			imp.parseInstead()
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
