package library_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/operatorvet/operatorvet/internal/library"
)

// TestOnlyRecordsNameLibraries checks that engines and rules name no function,
// type or package of a library. What they need to know of it belongs in its
// record.
func TestOnlyRecordsNameLibraries(t *testing.T) {
	t.Parallel()
	for _, root := range []string{"../engine", "../ssa", "../../analyzers"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			for _, lit := range spelled(file) {
				if _, ok := words[filepath.Base(path)+" "+lit.Value]; ok {
					continue
				}
				t.Errorf("%s: %s names a library; give it a record in internal/library", fset.Position(lit.Pos()), lit.Value)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// words lists literals that look like names of libraries, and what they are.
var words = map[string]string{
	`results.go "context"`: "a word in the text of a context's error",
}

// TestSpelledNamesAreFound tests which literals the test above takes for names.
func TestSpelledNamesAreFound(t *testing.T) {
	t.Parallel()
	const source = `package p

import "net/http"

const doc = "call context.WithoutCancel with a timeout"

var names = []string{
	"time.Sleep", "(net/http.Request).Context", "context", "k8s.io/api/core/v1", "(sigs.k8s.io/controller-runtime/pkg/client.Writer).", "gopkg.in/yaml", "k8s.io",
}

func fixes() { fix.Name(pos, "time", "After") }
`
	file, err := parser.ParseFile(token.NewFileSet(), "p.go", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	if got := len(spelled(file)); got != 7 {
		t.Errorf("found %d names, want those of the variable", got)
	}
}

// name matches the path of a package whose first element is a host, and the
// results of [library.Name] and [library.TypeName] for the standard library.
var name = regexp.MustCompile(`^\(?[a-z0-9.-]+\.(com|dev|in|io|org)(/|$)|^\(?([a-z0-9]+/)*[a-z0-9]+\.[A-Z][A-Za-z0-9]*\)?(\.[A-Z]?[A-Za-z0-9]*)?$`)

// spelled returns the literals that name a function, a type or a package of a
// library. Arguments of Name do not count: they are for fixes, which write the
// names.
func spelled(file *ast.File) []*ast.BasicLit {
	var found []*ast.BasicLit
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.CallExpr:
			sel, ok := n.Fun.(*ast.SelectorExpr)
			return !ok || sel.Sel.Name != "Name"
		case *ast.BasicLit:
			if n.Kind != token.STRING {
				break
			}
			s, err := strconv.Unquote(n.Value)
			if err == nil && (name.MatchString(s) || library.HasRecord(s)) {
				found = append(found, n)
			}
		}
		return true
	})
	return found
}
