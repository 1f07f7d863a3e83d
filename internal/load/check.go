package load

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/tools/go/gcexportdata"
	"golang.org/x/tools/go/packages"
)

// parse parses the packages whose syntax is kept.
func (g *graph) parse() error {
	parallel(g.nodes, func(n *node) {
		if n.from == fromSyntax {
			n.Syntax = g.parseFiles(n, n.GoFiles)
		}
	})
	var cgo []*node
	for _, n := range g.nodes {
		if n.from == fromSyntax && slices.ContainsFunc(n.Syntax, importsC) {
			cgo = append(cgo, n)
		}
	}
	if len(cgo) == 0 {
		return nil
	}
	if err := g.findCgoOutput(cgo); err != nil {
		return err
	}
	for _, n := range cgo {
		n.Syntax = g.parseFiles(n, n.CompiledGoFiles)
	}
	return nil
}

// parseFiles parses one file after the other: positions within a package then
// compare the same way in every run.
func (g *graph) parseFiles(n *node, names []string) []*ast.File {
	mode := parser.SkipObjectResolution
	if n.from == fromSyntax {
		mode |= parser.ParseComments
	}
	var files []*ast.File
	for _, name := range names {
		file, err := parser.ParseFile(g.fset, name, nil, mode)
		if err != nil {
			n.addError(err)
		}
		if file != nil {
			files = append(files, file)
		}
	}
	return files
}

func importsC(file *ast.File) bool {
	return slices.ContainsFunc(file.Imports, func(imp *ast.ImportSpec) bool { return imp.Path.Value == `"C"` })
}

// parallel calls f for every element, as many at a time as there are processors.
func parallel[T any](of []T, f func(T)) {
	var wg sync.WaitGroup
	limit := make(chan struct{}, runtime.GOMAXPROCS(0))
	for _, x := range of {
		limit <- struct{}{}
		wg.Add(1)
		go func() {
			defer wg.Done()
			f(x)
			<-limit
		}()
	}
	wg.Wait()
}

// check gives every node its types, imports first.
func (g *graph) check() {
	// Reading export data also fills in the packages that it mentions, so there
	// must be an object for each package before, and only one may read at a
	// time.
	var reading sync.Mutex
	for _, n := range g.nodes {
		n.Fset = g.fset
		n.Types = types.NewPackage(n.PkgPath, n.Name)
		if n.PkgPath == "unsafe" {
			n.Types = types.Unsafe
		}
	}
	total := 0
	for _, n := range g.nodes {
		if n.from != fromNothing {
			total++
		}
	}
	var done atomic.Int64
	limit := make(chan struct{}, runtime.GOMAXPROCS(0))
	for _, n := range g.nodes {
		go func() {
			defer close(n.done)
			for _, imp := range n.imports {
				<-imp.done
			}
			if n.from == fromNothing {
				return
			}
			limit <- struct{}{}
			defer func() { <-limit }()
			switch n.from {
			case fromSyntax, fromDeclaration:
				g.checkSource(n)
			case fromExport:
				reading.Lock()
				g.readExportData(n)
				reading.Unlock()
			}
			g.cfg.Progress("type-checking", int(done.Add(1)), total)
		}()
	}
	for _, n := range g.nodes {
		<-n.done
	}
}

// checkSource type-checks a package.
func (g *graph) checkSource(n *node) {
	files := n.Syntax
	cfg := &types.Config{
		Importer: importer{n},
		Sizes:    n.TypesSizes,
		Error: func(err error) {
			if n.from == fromSyntax {
				n.addError(err)
			}
		},
	}
	if n.Module != nil && n.Module.GoVersion != "" {
		cfg.GoVersion = "go" + n.Module.GoVersion
	}
	var info *types.Info
	if n.from == fromSyntax {
		info = &types.Info{
			Types:        make(map[ast.Expr]types.TypeAndValue),
			Instances:    make(map[*ast.Ident]types.Instance),
			Defs:         make(map[*ast.Ident]types.Object),
			Uses:         make(map[*ast.Ident]types.Object),
			Implicits:    make(map[ast.Node]types.Object),
			Selections:   make(map[*ast.SelectorExpr]*types.Selection),
			Scopes:       make(map[ast.Node]*types.Scope),
			FileVersions: make(map[*ast.File]string),
		}
		n.TypesInfo = info
	} else {
		cfg.IgnoreFuncBodies = true
		cfg.FakeImportC = true
		files = g.parseFiles(n, n.GoFiles)
		dropBodies(files)
	}

	err := types.NewChecker(cfg, g.fset, n.Types, info).Files(files)
	if n.from == fromDeclaration {
		return // whoever imports it finds out what is missing
	}
	if err != nil && len(n.Errors) == 0 {
		n.addError(err)
	}
	n.judge()
}

func dropBodies(files []*ast.File) {
	for _, file := range files {
		for _, decl := range file.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Body != nil {
				fn.Body = &ast.BlockStmt{Lbrace: fn.Body.Lbrace, Rbrace: fn.Body.Rbrace}
			}
		}
	}
}

// judge decides what the errors in a package, and in those that it imports, mean
// for its analysis.
func (n *node) judge() {
	n.IllTyped = len(n.Errors) > 0
	for _, imp := range n.imports {
		if imp.from == fromSyntax && imp.unsound != "" {
			// The types that n takes from there may be invalid, although the
			// type checker does not repeat the error here.
			n.IllTyped = true
			n.unsound = imp.unsound
			return
		}
	}
	if n.IllTyped && !n.errorsAreLocal() {
		n.unsound = n.PkgPath
	}
}

// errorsAreLocal reports whether all errors are type errors inside functions, so
// that what the package declares is sound.
func (n *node) errorsAreLocal() bool {
	if len(n.TypeErrors) != len(n.Errors) {
		return false
	}
	var bodies []*ast.BlockStmt
	for _, file := range n.Syntax {
		for _, decl := range file.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Body != nil {
				bodies = append(bodies, fn.Body)
			}
		}
	}
	for _, err := range n.TypeErrors {
		inside := func(body *ast.BlockStmt) bool { return body.Pos() <= err.Pos && err.Pos < body.End() }
		if !err.Soft && !slices.ContainsFunc(bodies, inside) {
			return false
		}
	}
	return true
}

// addError records an error of the parser or the type checker.
func (n *node) addError(err error) {
	var typeErr types.Error
	var syntaxErrs scanner.ErrorList
	var pathErr *os.PathError
	switch {
	case errors.As(err, &typeErr):
		n.TypeErrors = append(n.TypeErrors, typeErr)
		n.Errors = append(n.Errors, packages.Error{Pos: typeErr.Fset.Position(typeErr.Pos).String(), Msg: typeErr.Msg, Kind: packages.TypeError})
	case errors.As(err, &syntaxErrs):
		for _, e := range syntaxErrs {
			n.Errors = append(n.Errors, packages.Error{Pos: e.Pos.String(), Msg: e.Msg, Kind: packages.ParseError})
		}
	case errors.As(err, &pathErr):
		n.Errors = append(n.Errors, packages.Error{Pos: pathErr.Path, Msg: pathErr.Err.Error(), Kind: packages.ParseError})
	default:
		n.Errors = append(n.Errors, packages.Error{Msg: err.Error()})
	}
}

// failure returns the first error of a package that does not type-check.
func (n *node) failure() Failure {
	f := Failure{Package: n.PkgPath}
	if len(n.Errors) == 0 || n.unsound != "" && n.unsound != n.PkgPath {
		f.Message = fmt.Sprintf("imports %s, which does not type-check", n.unsound)
		return f
	}
	first := n.Errors[0]
	if first.Pos != "-" {
		f.Pos = first.Pos
	}
	f.Message = sayGoError(first.Msg)
	return f
}

// importer resolves the imports of a node.
type importer struct{ *node }

func (imp importer) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	pkg := imp.Imports[path]
	if pkg == nil {
		return nil, fmt.Errorf("the go command does not list it")
	}
	if len(pkg.GoFiles) == 0 && len(pkg.Errors) > 0 {
		return nil, errors.New(sayGoError(pkg.Errors[0].Msg))
	}
	if !pkg.Types.Complete() {
		return nil, errors.New("it has no types")
	}
	return pkg.Types, nil
}

// readExportData completes a package, and in part those that it mentions, from
// what the compiler wrote about it.
func (g *graph) readExportData(n *node) {
	if err := n.readExportFile(g.fset); err != nil {
		n.Errors = append(n.Errors, packages.Error{Msg: err.Error()})
	}
}

func (n *node) readExportFile(fset *token.FileSet) error {
	f, err := os.Open(n.ExportFile)
	if err != nil {
		return err
	}
	defer f.Close()
	r, err := gcexportdata.NewReader(f)
	if err != nil {
		return fmt.Errorf("reading %s: %v", n.ExportFile, err)
	}
	pkg, err := gcexportdata.Read(r, fset, n.mentionable(), n.PkgPath)
	if err != nil {
		return fmt.Errorf("reading %s: %v", n.ExportFile, err)
	}
	n.Types = pkg
	return nil
}

// mentionable returns the packages that the export data of n may mention, by
// path: all that it imports, directly or not.
func (n *node) mentionable() map[string]*types.Package {
	all := map[string]*types.Package{n.PkgPath: n.Types}
	seen := make(map[*node]bool)
	var visit func(imports []*node)
	visit = func(imports []*node) {
		for _, imp := range imports {
			if !seen[imp] {
				seen[imp] = true
				all[imp.PkgPath] = imp.Types
				visit(imp.imports)
			}
		}
	}
	visit(n.imports)
	return all
}
