package rule_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/internal/rules/config"
	"github.com/operatorvet/operatorvet/internal/rules/directive"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
)

const docGo = `// Package bad forbids what is called bad.
//
// # Analyzer bad
//
// bad: find what is called bad
//
// It is bad.
package bad
`

// bad reports every identifier "bad".
var bad = rule.New("bad", docGo, func(pass *rule.Pass) error {
	for _, file := range pass.Files {
		for n := range ast.Preorder(file) {
			if id, ok := n.(*ast.Ident); ok && id.Name == "bad" {
				pass.Reportf(id, "%s is bad", id.Name)
			}
		}
	}
	return nil
})

// run returns what the analyzer reports about a package, as "LINE: message".
func run(t *testing.T, a *analysis.Analyzer, src string) (lines []string, found []analysis.Diagnostic, result any, err error) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	pass := &analysis.Pass{
		Analyzer: a,
		Fset:     fset,
		Files:    []*ast.File{file},
		Pkg:      types.NewPackage("example.com/p", "p"),
		Module:   &analysis.Module{Path: "example.com/p"},
		ResultOf: make(map[*analysis.Analyzer]any),
		Report: func(d analysis.Diagnostic) {
			found = append(found, d)
			lines = append(lines, strings.TrimPrefix(fset.Position(d.Pos).String(), "p.go:")+": "+d.Message)
		},
	}
	var require func(a *analysis.Analyzer)
	require = func(a *analysis.Analyzer) {
		for _, req := range a.Requires {
			require(req)
			if pass.ResultOf[req], err = req.Run(pass); err != nil {
				t.Fatal(err)
			}
		}
	}
	require(a)
	result, err = a.Run(pass)
	return lines, found, result, err
}

func TestFindingIsComplete(t *testing.T) {
	t.Parallel()
	if err := analysis.Validate([]*analysis.Analyzer{bad}); err != nil {
		t.Fatal(err)
	}
	lines, found, _, err := run(t, bad, "package p\n\nvar bad int\n")
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"3:5: bad is bad"}; !slices.Equal(lines, want) {
		t.Fatalf("got %q, want %q", lines, want)
	}
	d := found[0]
	if d.Category != "bad" || d.End-d.Pos != 3 || d.URL != bad.URL || !strings.HasSuffix(d.URL, "/docs/rules/bad.md") {
		t.Errorf("category %q, length %d, URL %q", d.Category, d.End-d.Pos, d.URL)
	}
}

func TestIgnoredFindingIsHeldBackAndItsDirectiveIsUsed(t *testing.T) {
	t.Parallel()
	const src = `package p

//operatorvet:ignore bad known
var bad int

//operatorvet:ignore other known
var _ = bad

//operatorvet:ignore bad
var _ = bad

var _ = bad //operatorvet:ignore other,bad known
`
	lines, _, result, err := run(t, bad, src)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"7:9: bad is bad", "10:9: bad is bad"}; !slices.Equal(lines, want) {
		t.Errorf("got %q, want %q", lines, want)
	}
	fset := token.NewFileSet()
	file, _ := parser.ParseFile(fset, "p.go", src, parser.ParseComments)
	var used []bool
	for _, d := range directive.InFile(fset, file) {
		used = append(used, result.(*rule.Suppressions).Used(d.Pos()))
	}
	if want := []bool{true, false, false, true}; !slices.Equal(used, want) {
		t.Errorf("used: got %v, want %v", used, want)
	}
}

// names returns, sorted, the names of analyzers and of all that they require.
func names(analyzers []*analysis.Analyzer) []string {
	var all []string
	for _, a := range analyzers {
		all = append(all, a.Name)
		all = append(all, names(a.Requires)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func TestCopiesObeyOverrides(t *testing.T) {
	t.Parallel()
	above := rule.New("above", strings.ReplaceAll(docGo, "bad", "above"), func(pass *rule.Pass) error {
		pass.Reportf(pass.Files[0].Name, "longest wait %s", rule.OptionsOf(pass.Pass).MaxWait)
		return nil
	}, bad)
	overrides, err := config.FromSettings(map[string]any{"ctxloop": map[string]any{"max-wait": "9s"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		rules []*analysis.Analyzer
		names []string
		want  string
	}{
		{[]*analysis.Analyzer{above, bad}, []string{"above", "bad", "operatoroptions"}, "longest wait " + config.Default().MaxWait.String()},
		{rule.With(overrides, rule.Mode{}, []*analysis.Analyzer{above, bad}), []string{"above", "bad", "operatoroptions"}, "longest wait 9s"},
		{rule.Keyed(overrides, "a1", []*analysis.Analyzer{above}), []string{"above", "bad_a1", "operatoroptions_a1"}, "longest wait 9s"},
	} {
		if err := analysis.Validate(test.rules); err != nil {
			t.Fatal(err)
		}
		if got := names(test.rules); !slices.Equal(got, test.names) {
			t.Errorf("names %q, want %q", got, test.names)
		}
		if lines, _, _, err := run(t, test.rules[0], "package p\n"); err != nil || len(lines) != 1 || !strings.Contains(lines[0], test.want) {
			t.Errorf("got %q, %v, want %s", lines, err, test.want)
		}
	}
}

func TestGeneratedFileIsSkipped(t *testing.T) {
	t.Parallel()
	for header, skipped := range map[string]bool{
		"// Code generated by controller-gen. DO NOT EDIT.\n\n":                                                   true,
		"// Copyright\n\n// Code generated by x; DO NOT EDIT.\n":                                                  true,
		"// Code generated by cmd/cgo; DO NOT EDIT.\n\n":                                                          false,
		"// Code generated by cmd/cgo; DO NOT EDIT.\n\n//line x.go:1:1\n// Code generated by x. DO NOT EDIT.\n\n": true,
		"// Code generated by x. Please do not edit.\n\n":                                                         false,
		"": false,
	} {
		lines, _, _, err := run(t, bad, header+"package p\nvar bad int\n// Code generated by hand. DO NOT EDIT.\n")
		if err != nil {
			t.Fatal(err)
		}
		if (len(lines) == 0) != skipped {
			t.Errorf("%q: findings %q", header, lines)
		}
	}
}

func TestPanicBecomesOneLineAboutThePackage(t *testing.T) {
	t.Parallel()
	broken := rule.New("bad", docGo, func(*rule.Pass) error {
		var m map[string]int
		m["two\nlines"] = 1 //nolint:staticcheck // it panics
		return nil
	})
	_, _, _, err := run(t, broken, "package p\n")
	if err == nil {
		t.Fatal("no error")
	}
	got := err.Error()
	if !strings.HasPrefix(got, "internal error in bad at example.com/p: assignment to entry in nil map (rule_test.go:") || strings.Contains(got, "\n") {
		t.Errorf("got %q", got)
	}
}

func TestDocIsTheRulesSection(t *testing.T) {
	t.Parallel()
	if want := "find what is called bad\n\nIt is bad."; bad.Doc != want {
		t.Errorf("got %q, want %q", bad.Doc, want)
	}
	for _, source := range []string{
		"",
		"package bad",
		"// Package bad has no heading.\npackage bad",
		"// # Analyzer other\n//\n// other: not ours\npackage bad",
		"// # Analyzer bad\n//\n// The name is missing.\npackage bad",
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q passes for a doc.go", source)
				}
			}()
			rule.Doc("bad", source)
		}()
	}
}
