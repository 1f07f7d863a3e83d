package main

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// settings is a file more in gopls's package of that name.
const settings = `package settings

import "github.com/operatorvet/operatorvet/analyzers"

func init() {
	for _, a := range analyzers.All() {
		AllAnalyzers = append(AllAnalyzers, &Analyzer{analyzer: a})
	}
}
`

// writeOverlay writes the overlay that puts the suite into the gopls vendored in
// dir, and returns the name of the file that describes it.
func writeOverlay(dir string) (string, error) {
	pkg := filepath.Join(dir, "vendor", filepath.FromSlash(goplsModule), "internal", "settings")
	if err := checkSettings(pkg); err != nil {
		return "", err
	}
	source := filepath.Join(dir, "settings.txt")
	if err := os.WriteFile(source, []byte(settings), 0o666); err != nil {
		return "", err
	}
	overlay, err := json.Marshal(map[string]map[string]string{
		"Replace": {filepath.Join(pkg, "operatorvet.go"): source},
	})
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "overlay.json")
	return name, os.WriteFile(name, overlay, 0o666)
}

// checkSettings reports whether the package in dir has what the overlay needs:
// a list AllAnalyzers of Analyzers that wrap those of go/analysis. Whether the
// types are right, the compiler sees.
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
		return errors.New("its settings package has no list AllAnalyzers of Analyzers to add to")
	}
	return nil
}

func hasField(typ ast.Expr, name string) bool {
	s, ok := typ.(*ast.StructType)
	if !ok {
		return false
	}
	for _, field := range s.Fields.List {
		for _, id := range field.Names {
			if id.Name == name {
				return true
			}
		}
	}
	return false
}
