package directive_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"

	"github.com/operatorvet/operatorvet/internal/rules/directive"
	"github.com/operatorvet/operatorvet/internal/testing/benchmark"
)

func BenchmarkInFile(b *testing.B) {
	names, err := filepath.Glob(filepath.Join(benchmark.Operator(b), "controller", "*.go"))
	if err != nil {
		b.Fatal(err)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		file, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		if err != nil {
			b.Fatal(err)
		}
		files = append(files, file)
	}
	benchmark.Func(b, func() {
		found := 0
		for _, file := range files {
			found += len(directive.InFile(fset, file))
		}
		if found != benchmark.Findings {
			b.Fatalf("%d directives", found)
		}
	})
}
