package directive_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/operatorvet/operatorvet/internal/rules/directive"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		comment string
		verb    string
		rules   string
		reason  string
	}{
		{"//operatorvet:ignore ctxloop short by design", "ignore", "ctxloop", "short by design"},
		{"//operatorvet:ignore ctxloop,missingwatch both known", "ignore", "ctxloop missingwatch", "both known"},
		{"//operatorvet:ignore ctxloop, missingwatch both known", "ignore", "ctxloop missingwatch", "both known"},
		{"//operatorvet:ignore\tctxloop\ttabs", "ignore", "ctxloop", "tabs"},
		{"//operatorvet:ignore ctxloop // as for nolint", "ignore", "ctxloop", "as for nolint"},
		{"//operatorvet:ignore ctxloop //", "ignore", "ctxloop", ""},
		{"//operatorvet:ignore ctxloop ...", "ignore", "ctxloop", ""},
		{"//operatorvet:ignore ctxloop", "ignore", "ctxloop", ""},
		{"//operatorvet:ignore ctxloop,", "ignore", "ctxloop", ""},
		{"//operatorvet:ignore", "ignore", "", ""},
		{"//operatorvet:", "", "", ""},
		{"//operatorvet:disable ctxloop why", "disable", "ctxloop", "why"},
		{"//operatorvet:ignore ctxloop wind\r", "ignore", "ctxloop", "wind"},
	} {
		d, ok := directive.Parse(test.comment)
		if !ok {
			t.Errorf("%q is not recognised", test.comment)
			continue
		}
		if got := names(d); d.Verb != test.verb || got != test.rules || d.Reason != test.reason {
			t.Errorf("%q: got verb %q, rules %q, reason %q", test.comment, d.Verb, got, d.Reason)
		}
	}
	for _, comment := range []string{
		"// operatorvet: ignore",
		"// operatorvet:ignored findings",
		"// see //operatorvet:ignore ctxloop reason",
		"//\toperatorvet:ignore ctxloop an example in a comment",
		"/* operatorvet:ignore ctxloop\non two lines */",
		"//nolint:operatorvet",
		"//",
	} {
		if _, ok := directive.Parse(comment); ok {
			t.Errorf("%q is taken for a directive", comment)
		}
	}
}

// TestMisspelt: what looks like a directive suppresses nothing.
func TestMisspelt(t *testing.T) {
	t.Parallel()
	for comment, want := range map[string]string{
		"// operatorvet:ignore ctxloop a space":           "//operatorvet:ignore ctxloop a space",
		"//operatorvet: ignore ctxloop a space":           "//operatorvet:ignore ctxloop a space",
		"// operatorvet: ignore ctxloop, missingwatch  b": "//operatorvet:ignore ctxloop,missingwatch b",
		"/*operatorvet:ignore ctxloop no line comment*/":  "//operatorvet:ignore ctxloop no line comment",
		"/* operatorvet:ignore ctxloop */":                "//operatorvet:ignore ctxloop",
	} {
		d, ok := directive.Parse(comment)
		if !ok || !d.Misspelt || d.Ignores("ctxloop") || d.String() != want {
			t.Errorf("%q: %v, got %v", comment, ok, d)
		}
	}
	if d, _ := directive.Parse("//operatorvet:ignore ctxloop fine"); d.Misspelt || !d.Ignores("ctxloop") {
		t.Errorf("got %+v", d)
	}
}

// TestCovers checks that the directive above or beside a call covers it if it is
// marked HIT, and does not if it is marked MISS.
func TestCovers(t *testing.T) {
	t.Parallel()
	const src = `package p

//operatorvet:ignore r above a declaration
var x = HIT()

// Doc of f.
//
//operatorvet:ignore r a function's doc speaks for its first line
func f() {
	HIT() //operatorvet:ignore r beside
	MISS()

	//operatorvet:ignore r above
	//operatorvet:ignore q stacked
	HIT()
	MISS()

	//operatorvet:ignore r a blank line parts them

	MISS()

	//operatorvet:ignore r a chain
	a().
		b(HIT()).
		HIT()
	MISS()

	//operatorvet:ignore r literals keep their inside to themselves
	g(func() {
		MISS()
	}, T{
		X: MISS(),
	},
		HIT())

	//operatorvet:ignore r the head of a block
	for HIT() {
		MISS()
	}

	//operatorvet:ignore r the statement in the head
	if err := a().
		HIT(); err != nil {
		MISS()
	}

	g(
		MISS(),
		//operatorvet:ignore r above a part
		HIT(),
		HIT(), //operatorvet:ignore r beside a part
	) //operatorvet:ignore r beside the closing parenthesis
	MISS()
}
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	directives := directive.InFile(fset, file)
	if want := strings.Count(src, "//operatorvet:"); len(directives) != want {
		t.Fatalf("found %d directives, want %d", len(directives), want)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || id.Name != "HIT" && id.Name != "MISS" {
			return true
		}
		covered := slices.ContainsFunc(directives, func(d *directive.Directive) bool {
			return d.Ignores("r") && d.Covers(id.Pos())
		})
		if covered != (id.Name == "HIT") {
			t.Errorf("%s: %s is covered: %v", fset.Position(id.Pos()), id.Name, covered)
		}
		return true
	})
}

func TestIgnoresNeedsReasonAndVerb(t *testing.T) {
	t.Parallel()
	for comment, want := range map[string]bool{
		"//operatorvet:ignore r why":   true,
		"//operatorvet:ignore q,r why": true,
		"//operatorvet:ignore q why":   false,
		"//operatorvet:ignore r":       false,
		"//operatorvet:ignored r why":  false,
	} {
		d, _ := directive.Parse(comment)
		if got := d.Ignores("r"); got != want {
			t.Errorf("%q ignores r: %v", comment, got)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"//operatorvet:ignore ctxloop reason",
		"//operatorvet:ignore a,b,c // reason",
		"//operatorvet:ignore a, ,b  ,, c reason",
		"//operatorvet:ignore\u00a0ctxloop\u2003x",
		"//operatorvet:",
		"// prose",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, comment string) {
		d, ok := directive.Parse(comment)
		if ok != strings.HasPrefix(comment, "//operatorvet:") {
			t.Fatalf("%q: recognised: %v", comment, ok)
		}
		if !ok {
			return
		}
		for _, n := range d.Rules {
			if n.Text == "" || strings.ContainsAny(n.Text, " \t,") {
				t.Errorf("%q: rule %q", comment, n.Text)
			}
			// The range of a name is where its text is.
			pos, end := d.Range(n)
			if from, to := int(pos-d.Pos()), int(end-d.Pos()); from < 0 || to > len(comment) || comment[from:to] != n.Text {
				t.Errorf("%q: rule %q is not at %d:%d", comment, n.Text, from, to)
			}
		}
		if d.Reason != strings.TrimSpace(d.Reason) {
			t.Errorf("%q: reason %q", comment, d.Reason)
		}
	})
}

func FuzzInFile(f *testing.F) {
	f.Add("package p\n//operatorvet:ignore r why\nvar x = 1")
	f.Add("//operatorvet:ignore r why\npackage p")
	f.Add("package p\nfunc f() { g(func() {}) } //operatorvet:ignore r why")
	f.Add("package p\n//line x.go:1\n//operatorvet:ignore r why")
	f.Fuzz(func(t *testing.T, src string) {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "p.go", src, parser.ParseComments|parser.SkipObjectResolution)
		if file == nil || err != nil {
			return
		}
		for _, d := range directive.InFile(fset, file) {
			d.Covers(d.Pos())
			d.Covers(file.FileEnd)
			d.Covers(token.NoPos)
		}
	})
}

func names(d *directive.Directive) string {
	var names []string
	for _, n := range d.Rules {
		names = append(names, n.Text)
	}
	return strings.Join(names, " ")
}
