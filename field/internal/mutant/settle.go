package mutant

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"

	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/packages"
)

// A unit is a package whose files mutants change. It keeps no syntax.
type unit struct {
	path      string
	files     []string
	goVersion string
	sizes     types.Sizes
	imported  []*types.Package
}

func newUnit(pkg *packages.Package) *unit {
	u := &unit{path: pkg.PkgPath, files: pkg.CompiledGoFiles, sizes: pkg.TypesSizes, imported: pkg.Types.Imports()}
	if u.files == nil {
		u.files = pkg.GoFiles
	}
	if pkg.Module != nil && pkg.Module.GoVersion != "" {
		u.goVersion = "go" + pkg.Module.GoVersion
	}
	return u
}

// Import implements types.Importer for all packages that the package imports,
// directly or not.
func (u *unit) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	seen := make(map[*types.Package]bool)
	todo := u.imported
	for len(todo) > 0 {
		var next []*types.Package
		for _, pkg := range todo {
			if pkg.Path() == path && pkg.Complete() {
				return pkg, nil
			}
			if !seen[pkg] {
				seen[pkg] = true
				next = append(next, pkg.Imports()...)
			}
		}
		todo = next
	}
	return nil, errors.New("no package that is imported imports it")
}

// Source returns the content of the mutant's file. The error says why the mutant
// does not compile. The module must be as it was when it was searched.
func (m *Mutant) Source() ([]byte, error) {
	src, err := os.ReadFile(m.path)
	if err != nil {
		return nil, err
	}
	src = apply(src, m.edits)
	// Each round may make more unused: a variable, and then an import.
	const rounds = 8
	for range rounds {
		edits, err := m.unit.unused(m.path, src)
		if err != nil {
			return nil, err
		}
		if len(edits) == 0 {
			return src, nil
		}
		src = apply(src, edits)
	}
	return nil, errors.New("something is still unused")
}

// unused type-checks the package with another content of one file, and returns
// the edits that satisfy the compiler about what the file does not use: imports,
// variables and labels.
func (u *unit) unused(name string, src []byte) ([]edit, error) {
	fset := token.NewFileSet()
	var files []*ast.File
	var changed *ast.File
	for _, file := range u.files {
		var content any
		same := sameFile(file, name)
		if same {
			content = src
		}
		f, err := parser.ParseFile(fset, file, content, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		if same {
			changed = f
		}
		files = append(files, f)
	}
	if changed == nil {
		return nil, fmt.Errorf("%s: no file of package %s", name, u.path)
	}
	var edits []edit
	var failed error
	cfg := types.Config{Importer: u, Sizes: u.sizes, GoVersion: u.goVersion, Error: func(err error) {
		var typeErr types.Error
		if failed != nil {
			return
		}
		if !errors.As(err, &typeErr) || !typeErr.Soft {
			failed = err
			return
		}
		e, ok := use(fset, changed, typeErr.Pos)
		if !ok {
			failed = err
			return
		}
		edits = append(edits, e)
	}}
	cfg.Check(u.path, fset, files, nil) // see cfg.Error
	return edits, failed
}

func sameFile(a, b string) bool { return filepath.Clean(a) == filepath.Clean(b) }

// use returns the edit after which what stands at a position counts as used, or
// is gone.
func use(fset *token.FileSet, file *ast.File, pos token.Pos) (edit, bool) {
	offset := func(p token.Pos) int { return fset.PositionFor(p, false).Offset }
	path, _ := astutil.PathEnclosingInterval(file, pos, pos)
	for i, n := range path {
		switch n := n.(type) {
		case *ast.ImportSpec:
			from := offset(n.Pos())
			return edit{from, offset(n.End()), "_ " + n.Path.Value}, true // what its packages do at start stays done
		case *ast.LabeledStmt:
			return remove(offset(n.Pos()), offset(n.Colon)+1), true
		case *ast.Ident:
			if _, ok := path[i+1].(*ast.ImportSpec); !ok {
				return useVariable(offset, path[i:], n)
			}
		}
	}
	return edit{}, false
}

// useVariable does so for the variable that an identifier declares. A statement
// in a list gets one behind it that uses the variable. In other places it is
// declared no more.
func useVariable(offset func(token.Pos) int, path []ast.Node, id *ast.Ident) (edit, bool) {
	if label, ok := path[1].(*ast.LabeledStmt); ok {
		return remove(offset(label.Pos()), offset(label.Colon)+1), true
	}
	for i, n := range path[1:] {
		stmt, ok := n.(ast.Stmt)
		if !ok {
			continue
		}
		switch stmt := stmt.(type) {
		case *ast.AssignStmt, *ast.DeclStmt:
		case *ast.RangeStmt:
			if stmt.Value == nil || stmt.Value == id && isBlank(stmt.Key) {
				return remove(offset(stmt.Key.Pos()), offset(stmt.Range)), true // for range m
			}
			from := offset(id.Pos())
			return edit{from, from + len(id.Name), "_"}, true
		default:
			return edit{}, false
		}
		switch path[i+2].(type) {
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
			end := offset(stmt.End())
			return edit{end, end, "; _ = " + id.Name}, true
		}
		as, ok := stmt.(*ast.AssignStmt)
		if !ok || len(as.Lhs) != 1 {
			from := offset(id.Pos())
			return edit{from, from + len(id.Name), "_"}, ok
		}
		return edit{offset(id.Pos()), offset(as.TokPos) + len(as.Tok.String()), "_ ="}, true
	}
	return edit{}, false
}
