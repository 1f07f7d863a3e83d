package edit_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
	"testing"
	"time"

	"github.com/operatorvet/operatorvet/internal/rules/edit"
)

// TestManyFixes: very many fixes of one file are made in time. If each looked at the
// whole file, they would take twenty seconds.
func TestManyFixes(t *testing.T) {
	t.Parallel()
	if took := timeOfFixes(t, 8000); took > 8*time.Second {
		t.Errorf("it takes %v", took)
	}
}

// timeOfFixes returns how long it takes to make a fix in each of n functions.
func timeOfFixes(t *testing.T, n int) time.Duration {
	t.Helper()
	var src strings.Builder
	src.WriteString("package p\n\nimport (\n\t\"fmt\"\n\t\"time\"\n)\n")
	for i := range n {
		fmt.Fprintf(&src, "\n// F%d waits.\nfunc F%[1]d() {\n\ttime.Sleep(%[1]d)\n\tfmt.Println()\n}\n", i)
	}
	pass := load(t, src.String())
	editor := edit.NewEditor(pass)
	made := 0
	start := time.Now()
	for _, decl := range pass.Files[0].Decls {
		decl, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		stmt := decl.Body.List[0]
		fix := editor.At(stmt.Pos())
		if len(fix.Path(stmt.Pos(), stmt.End())) < 3 || fix.Scope(stmt.Pos()).Pos() == token.NoPos {
			t.Fatal("no path or no scope")
		}
		fix.Replace(stmt.Pos(), stmt.End(), "fmt.Print()")
		if fix.Done("").Fix != nil {
			made++
		}
	}
	took := time.Since(start)
	if made != n-1 { // the last would leave an unused import
		t.Fatalf("%d fixes of %d", made, n)
	}
	return took
}
