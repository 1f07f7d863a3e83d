package enginetest

import (
	"embed"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/txtar"
	"golang.org/x/mod/modfile"
	"golang.org/x/tools/go/packages"

	"github.com/operatorvet/operatorvet/internal/testing/source"
)

// stubs has the declarations of libraries. It has a txtar archive for each
// module; the folder of a file in it is the import path of its package.
//
//go:embed stubs
var stubs embed.FS

// libraries has the declarations that cases import. A package is read when a
// case first imports it, and kept for other cases.
type libraries struct {
	fset  *token.FileSet
	ctx   build.Context
	stubs func() (map[string][]txtar.File, error)

	mu   sync.Mutex // guards pkgs, and is held while a package is read
	pkgs map[string]*types.Package
}

func newLibraries() *libraries {
	ctx := build.Default
	ctx.CgoEnabled = false
	return &libraries{
		fset:  token.NewFileSet(),
		ctx:   ctx,
		stubs: sync.OnceValues(readStubs),
		pkgs:  map[string]*types.Package{"unsafe": types.Unsafe},
	}
}

// readStubs returns the files of the packages with stubs, by import path.
func readStubs() (map[string][]txtar.File, error) {
	files := make(map[string][]txtar.File)
	entries, err := stubs.ReadDir("stubs")
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		data, err := stubs.ReadFile(path.Join("stubs", entry.Name()))
		if err != nil {
			return nil, err
		}
		for _, f := range txtar.Parse(data).Files {
			if path.Ext(f.Name) == ".go" {
				files[path.Dir(f.Name)] = append(files[path.Dir(f.Name)], f)
			}
		}
	}
	return files, nil
}

// declared returns a package of a library.
func (libs *libraries) declared(path string) (*types.Package, error) {
	libs.mu.Lock()
	defer libs.mu.Unlock()
	return libs.read(path, "")
}

// read returns the package with this path, imported by a package in the
// directory from.
func (libs *libraries) read(importPath, from string) (*types.Package, error) {
	if pkg := libs.pkgs[importPath]; pkg != nil {
		return pkg, nil
	}
	files, dir, err := libs.parse(importPath, from)
	if err != nil {
		return nil, err
	}
	var first error
	cfg := types.Config{
		IgnoreFuncBodies: true,
		FakeImportC:      true,
		Sizes:            sizes(),
		Importer:         importerFunc(func(path string) (*types.Package, error) { return libs.read(path, dir) }),
		Error: func(err error) {
			if first == nil {
				first = err
			}
		},
	}
	pkg, _ := cfg.Check(importPath, libs.fset, files, nil) // see cfg.Error
	if first != nil {
		return nil, first
	}
	libs.pkgs[importPath] = pkg
	return pkg, nil
}

// parse returns the files of a library's package and their directory, which is
// empty for a stub.
func (libs *libraries) parse(importPath, from string) (files []*ast.File, dir string, err error) {
	all, err := libs.stubs()
	if err != nil {
		return nil, "", err
	}
	for _, f := range all[importPath] {
		file, err := parser.ParseFile(libs.fset, f.Name, f.Data, parser.SkipObjectResolution)
		if err != nil {
			return nil, "", err
		}
		for _, decl := range file.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Body == nil {
				fn.Body = new(ast.BlockStmt) // which generic functions must have
			}
		}
		files = append(files, file)
	}
	if len(files) > 0 {
		return files, "", nil
	}
	if first, _, _ := strings.Cut(importPath, "/"); strings.Contains(first, ".") && from == "" {
		return nil, "", fmt.Errorf("no stub of %s: add its declarations to a file in internal/testing/enginetest/stubs", importPath)
	}
	root := filepath.Join(libs.ctx.GOROOT, "src")
	dir = filepath.Join(root, importPath)
	if _, err := os.Stat(dir); err != nil {
		dir = filepath.Join(root, "vendor", importPath)
	}
	info, err := libs.ctx.ImportDir(dir, 0)
	if err != nil {
		return nil, "", err
	}
	for _, name := range info.GoFiles {
		file, err := parser.ParseFile(libs.fset, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, "", err
		}
		files = append(files, file)
	}
	return files, dir, nil
}

type importerFunc func(path string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }

func sizes() types.Sizes { return types.SizesFor("gc", runtime.GOARCH) }

// load returns the packages of a case, each after the packages that it imports.
func (libs *libraries) load(arc *txtar.Archive) ([]*packages.Package, error) {
	module := &packages.Module{Path: "example.com", Main: true}
	if data := fileOf(arc, "go.mod"); data != nil {
		module.Path = modfile.ModulePath(data)
	}
	program := &program{libraries: libs, module: module, byPath: make(map[string]*packages.Package)}
	var paths []string
	for _, f := range arc.Files {
		if path.Ext(f.Name) != ".go" {
			continue
		}
		pkgPath := path.Join(module.Path, path.Dir(f.Name))
		pkg := program.byPath[pkgPath]
		if pkg == nil {
			pkg = &packages.Package{ID: pkgPath, PkgPath: pkgPath, Fset: libs.fset, Module: module, TypesSizes: sizes(), Imports: make(map[string]*packages.Package)}
			program.byPath[pkgPath] = pkg
			paths = append(paths, pkgPath)
		}
		file, err := parser.ParseFile(libs.fset, f.Name, f.Data, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		pkg.Syntax = append(pkg.Syntax, file)
	}
	if len(paths) == 0 {
		return nil, errors.New("no Go files")
	}
	slices.Sort(paths)
	for _, path := range paths {
		if err := program.check(path); err != nil {
			return nil, err
		}
	}
	return program.sorted, nil
}

// A program is the program of a case.
type program struct {
	*libraries
	module *packages.Module
	byPath map[string]*packages.Package
	sorted []*packages.Package // that are checked
}

// check type-checks a package after the packages that it imports.
func (p *program) check(path string) error {
	pkg := p.byPath[path]
	if pkg.Types != nil {
		return nil
	}
	pkg.TypesInfo = source.NewInfo()
	var all []error
	cfg := types.Config{
		Sizes: pkg.TypesSizes,
		Importer: importerFunc(func(path string) (*types.Package, error) {
			imp := p.byPath[path]
			if imp == nil {
				return p.declared(path)
			}
			pkg.Imports[path] = imp
			if err := p.check(path); err != nil {
				return nil, err
			}
			return imp.Types, nil
		}),
		Error: func(err error) { all = append(all, err) },
	}
	pkg.Types, _ = cfg.Check(path, p.fset, pkg.Syntax, pkg.TypesInfo) // see cfg.Error
	pkg.Name = pkg.Types.Name()
	p.sorted = append(p.sorted, pkg)
	return errors.Join(all...)
}
