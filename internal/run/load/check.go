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

// findCgo looks for packages that use cgo among those from syntax.
func (g *graph) findCgo() error {
	var mu sync.Mutex
	var using []*node
	parallel(g.nodes, func(n *node) {
		if n.from == fromSyntax && slices.ContainsFunc(n.GoFiles, importsC) {
			mu.Lock()
			using = append(using, n)
			mu.Unlock()
		}
	})
	if len(using) == 0 {
		return nil
	}
	return g.findCgoOutput(using)
}

// importsC reports whether the file uses cgo.
func importsC(name string) bool {
	file, _ := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly|parser.SkipObjectResolution)
	return file != nil && slices.ContainsFunc(file.Imports, func(imp *ast.ImportSpec) bool { return imp.Path.Value == `"C"` })
}

// parseFiles parses the files one after the other, so that positions within a
// package compare the same way in every run.
func (g *graph) parseFiles(n *node, mode parser.Mode) []*ast.File {
	names := n.CompiledGoFiles
	if names == nil {
		names = n.GoFiles
	}
	var files []*ast.File
	for _, name := range names {
		file, err := parser.ParseFile(g.fset, name, nil, mode|parser.SkipObjectResolution)
		if err != nil {
			n.addError(err)
		}
		if file != nil {
			files = append(files, file)
		}
	}
	return files
}

// parallel calls f for every element, with as many calls at a time as there are
// processors.
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

// process type-checks every node and visits those that are to be analysed,
// imports first.
func (g *graph) process() {
	// Export data fill in the packages that they mention, so each must exist
	// before.
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
			for _, imp := range n.earlier() {
				<-imp.done
				n.fleeting = n.fleeting || imp.fleeting
			}
			n.findAnalysable()
			if n.from == fromNothing {
				if n.recalled {
					n.Imports = n.analysable
				}
				return
			}
			limit <- struct{}{}
			if g.cfg.Context.Err() == nil {
				g.complete(n)
			}
			<-limit
			g.cfg.Progress("analysing", int(done.Add(1)), total)
		}()
	}
	for _, n := range g.nodes {
		<-n.done
	}
}

// complete type-checks a node, and visits it if it is to be analysed.
func (g *graph) complete(n *node) {
	switch n.from {
	case fromExport:
		// Reading export data also fills in the packages that it mentions.
		g.reading.Lock()
		defer g.reading.Unlock()
		if err := n.readExportFile(g.fset); err != nil {
			n.Errors = append(n.Errors, packages.Error{Msg: err.Error()})
			n.fleeting = true
		}
	case fromDeclaration:
		g.checkDeclarations(n)
		if n.recalled {
			n.Imports = n.analysable
		}
	case fromSyntax:
		g.checkSyntax(n)
		n.Imports = n.analysable
		if g.cfg.Visit != nil {
			if n.visitable() {
				g.keep(n, g.cfg.Visit(n.Package, g.view(n), n.root))
			}
			n.Syntax, n.TypesInfo = nil, nil
		}
	}
}

// checkSyntax type-checks a package and keeps its syntax and its types.Info.
func (g *graph) checkSyntax(n *node) {
	n.Syntax = g.parseFiles(n, parser.ParseComments)
	n.TypesInfo = &types.Info{
		Types:        make(map[ast.Expr]types.TypeAndValue),
		Instances:    make(map[*ast.Ident]types.Instance),
		Defs:         make(map[*ast.Ident]types.Object),
		Uses:         make(map[*ast.Ident]types.Object),
		Implicits:    make(map[ast.Node]types.Object),
		Selections:   make(map[*ast.SelectorExpr]*types.Selection),
		Scopes:       make(map[ast.Node]*types.Scope),
		FileVersions: make(map[*ast.File]string),
	}
	cfg := n.typesConfig()
	cfg.Error = n.addError
	err := types.NewChecker(cfg, g.fset, n.Types, n.TypesInfo).Files(n.Syntax)
	if err != nil && len(n.Errors) == 0 {
		n.addError(err)
	}
	n.judge()
}

// checkDeclarations type-checks a package without the bodies of its functions.
// Its errors show in its importers.
func (g *graph) checkDeclarations(n *node) {
	files := g.parseFiles(n, 0)
	dropBodies(files)
	cfg := n.typesConfig()
	cfg.IgnoreFuncBodies = true
	cfg.FakeImportC = true
	cfg.Error = func(error) {}
	types.NewChecker(cfg, g.fset, n.Types, nil).Files(files) // see cfg.Error
}

func (n *node) typesConfig() *types.Config {
	cfg := &types.Config{Importer: importer{n}, Sizes: n.TypesSizes}
	if n.Module != nil && n.Module.GoVersion != "" {
		cfg.GoVersion = "go" + n.Module.GoVersion
	}
	return cfg
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

// judge decides how the errors in a package, and in those that it imports,
// affect its analysis.
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
// that the package's declarations are sound.
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

// readExportFile reads the types of a package, and a part of those of the
// packages it mentions, from the compiler's export data.
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
// path: all packages that it imports, directly or not.
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
