package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// added has the files that gopls gets in addition, by path in its module.
var added = map[string]string{
	"internal/settings/operatorvet.go": `package settings

import "github.com/operatorvet/operatorvet/plugin/gopls/suite"

func init() {
	for _, a := range suite.Analyzers() {
		AllAnalyzers = append(AllAnalyzers, &Analyzer{analyzer: a})
	}
}
`,
	"internal/cache/operatorvet.go": `package cache

import (
	"io"

	"github.com/operatorvet/operatorvet/plugin/gopls/suite"
)

// hashOptions makes the key of a package's results depend on the package's
// options. Only packages of the user's modules have options.
func hashOptions(w io.Writer, an *analysisNode) {
	mp := an.ph.mp
	if len(mp.CompiledGoFiles) > 0 && (mp.Module == nil || mp.Module.Version == "") {
		io.WriteString(w, suite.OptionsKey(mp.CompiledGoFiles[0].DirPath()))
	}
}
`,
}

// patched has the files of gopls that change, by path in its module. A patch
// that does not find its place in a file returns an error.
var patched = map[string]func(source []byte) ([]byte, error){
	"internal/cache/analysis.go": callHashOptions,
	"main.go":                    sendNoTelemetry,
}

// writeOverlay writes the overlay that puts the suite into the gopls vendored in
// dir, and returns the name of the file that describes it.
func writeOverlay(dir string) (string, error) {
	vendored := filepath.Join(dir, "vendor", filepath.FromSlash(goplsModule))
	if err := checkSettings(filepath.Join(vendored, "internal", "settings")); err != nil {
		return "", err
	}
	sources := maps.Clone(added)
	for path, patch := range patched {
		original, err := os.ReadFile(filepath.Join(vendored, filepath.FromSlash(path)))
		if err != nil {
			return "", err
		}
		source, err := patch(original)
		if err != nil {
			return "", fmt.Errorf("%s: %w", path, err)
		}
		sources[path] = string(source)
	}
	replace := make(map[string]string)
	for i, path := range slices.Sorted(maps.Keys(sources)) {
		source := filepath.Join(dir, fmt.Sprintf("overlay%d.txt", i))
		if err := os.WriteFile(source, []byte(sources[path]), 0o666); err != nil {
			return "", err
		}
		replace[filepath.Join(vendored, filepath.FromSlash(path))] = source
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "overlay.json")
	return name, os.WriteFile(name, overlay, 0o666)
}

// checkSettings checks that the package in dir has what the added file needs: a
// list AllAnalyzers of Analyzers that wrap those of go/analysis. The compiler
// checks the types.
func checkSettings(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var list, wrapper bool
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, e.Name()), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for n := range ast.Preorder(file) {
			switch n := n.(type) {
			case *ast.ValueSpec:
				list = list || n.Names[0].Name == "AllAnalyzers"
			case *ast.TypeSpec:
				wrapper = wrapper || n.Name.Name == "Analyzer" && hasField(n.Type, "analyzer")
			}
		}
	}
	if !list || !wrapper {
		return errors.New("internal/settings: no list AllAnalyzers of Analyzers to add to")
	}
	return nil
}

func hasField(typ ast.Expr, name string) bool {
	s, ok := typ.(*ast.StructType)
	return ok && slices.ContainsFunc(s.Fields.List, func(field *ast.Field) bool {
		return slices.ContainsFunc(field.Names, func(id *ast.Ident) bool { return id.Name == name })
	})
}

// callHashOptions inserts a call of hashOptions where gopls computes the key of
// the results of a package's analysis:
//
//	func (an *analysisNode) cacheKey() file.Hash {
//		hasher := sha256.New()
//		hashOptions(hasher, an)
func callHashOptions(source []byte) ([]byte, error) {
	return insert(source, "cacheKey", func(fn *ast.FuncDecl, stmt ast.Stmt) (from, to token.Pos, text string) {
		assign, ok := stmt.(*ast.AssignStmt)
		if !ok || !isCall(assign.Rhs[0], "sha256", "New") || fn.Recv == nil || len(fn.Recv.List[0].Names) == 0 {
			return
		}
		hasher, ok := assign.Lhs[0].(*ast.Ident)
		if !ok {
			return
		}
		return stmt.End(), stmt.End(), fmt.Sprintf("\n\thashOptions(%s, %s)", hasher.Name, fn.Recv.List[0].Names[0].Name)
	})
}

// sendNoTelemetry prevents the gopls from sending crashes and counts to the
// authors of gopls, because they did not build it. The user may have agreed to
// telemetry for theirs.
func sendNoTelemetry(source []byte) ([]byte, error) {
	return insert(source, "main", func(_ *ast.FuncDecl, stmt ast.Stmt) (from, to token.Pos, text string) {
		if call, ok := stmt.(*ast.ExprStmt); ok && isCall(call.X, "telemetry", "Start") {
			return stmt.Pos(), stmt.End(), "_ = telemetry.Start"
		}
		return
	})
}

// insert changes the first statement of a function for which change returns a
// text. The text replaces the source between the positions.
func insert(source []byte, function string, change func(*ast.FuncDecl, ast.Stmt) (from, to token.Pos, text string)) ([]byte, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, decl := range file.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok || fn.Name.Name != function || fn.Body == nil {
			continue
		}
		for _, stmt := range fn.Body.List {
			if from, to, text := change(fn, stmt); text != "" {
				start, end := fset.Position(from).Offset, fset.Position(to).Offset
				return slices.Concat(source[:start], []byte(text), source[end:]), nil
			}
		}
	}
	return nil, fmt.Errorf("func %s is not as expected", function)
}

func isCall(e ast.Expr, pkg, name string) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	id, ok := sel.X.(*ast.Ident)
	return ok && id.Name == pkg && sel.Sel.Name == name
}
