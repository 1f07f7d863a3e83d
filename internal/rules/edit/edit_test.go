package edit_test

import (
	"go/ast"
	"go/format"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/internal/rules/edit"
)

// load type-checks a file. Packages that do not exist are empty.
func load(t *testing.T, src string) *analysis.Pass {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object), Uses: make(map[*ast.Ident]types.Object),
		Implicits: make(map[ast.Node]types.Object), Scopes: make(map[ast.Node]*types.Scope), FileVersions: make(map[*ast.File]string),
	}
	cfg := types.Config{Importer: libraries{importer.Default()}, Error: func(error) {}}
	pkg, _ := cfg.Check("example.com/p", fset, []*ast.File{file}, info)
	return &analysis.Pass{
		Fset: fset, Files: []*ast.File{file}, Pkg: pkg, TypesInfo: info,
		ReadFile: func(string) ([]byte, error) { return []byte(src), nil },
	}
}

type libraries struct{ std types.Importer }

func (l libraries) Import(path string) (*types.Package, error) {
	if strings.Contains(path, ".") {
		pkg := types.NewPackage(path, path[strings.LastIndexByte(path, '/')+1:])
		pkg.MarkComplete()
		return pkg, nil
	}
	return l.std.Import(path)
}

// find returns the position of text in the file.
func find(pass *analysis.Pass, text string) token.Pos {
	src, _ := pass.ReadFile("")
	return pass.Files[0].FileStart + token.Pos(strings.Index(string(src), text))
}

func apply(pass *analysis.Pass, fix *analysis.SuggestedFix) string {
	src, _ := pass.ReadFile("")
	for _, e := range slices.Backward(fix.TextEdits) {
		from, to := e.Pos-pass.Files[0].FileStart, e.End-pass.Files[0].FileStart
		src = slices.Concat(src[:from], e.NewText, src[to:])
	}
	return string(src)
}

// TestImports replaces the word old by members of packages, and compares what
// comes before the declaration it is in.
func TestImports(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		imports string
		members []string // path member
		want    string
		text    string // of what replaces old; "" for no fix
	}{
		"none yet":             {"", []string{"time After"}, "\nimport \"time\"\n", "time.After"},
		"none yet, several":    {"", []string{"time After", "k8s.io/api/apps/v1 Deployment"}, "\nimport (\n\t\"time\"\n\n\tappsv1 \"k8s.io/api/apps/v1\"\n)\n", "time.After appsv1.Deployment"},
		"there":                {"\nimport \"time\"\n", []string{"time After"}, "\nimport \"time\"\n", "time.After"},
		"there, renamed":       {"\nimport t \"time\"\n", []string{"time After"}, "\nimport t \"time\"\n", "t.After"},
		"there, dotted":        {"\nimport . \"time\"\n", []string{"time After"}, "\nimport . \"time\"\n", "After"},
		"one becomes a block":  {"\nimport \"time\"\n", []string{"maps Keys"}, "\nimport (\n\t\"maps\"\n\t\"time\"\n)\n", "maps.Keys"},
		"two lines":            {"\nimport \"fmt\"\nimport \"time\"\n", []string{"maps Keys"}, "\nimport \"fmt\"\nimport \"time\"\nimport \"maps\"\n", "maps.Keys"},
		"in order":             {"\nimport (\n\t\"fmt\"\n\t\"time\"\n)\n", []string{"maps Keys", "slices Sorted"}, "\nimport (\n\t\"fmt\"\n\t\"maps\"\n\t\"slices\"\n\t\"time\"\n)\n", "maps.Keys slices.Sorted"},
		"last":                 {"\nimport (\n\t\"fmt\" // f\n\n\t\"k8s.io/x\"\n)\n", []string{"time After"}, "\nimport (\n\t\"fmt\" // f\n\t\"time\"\n\n\t\"k8s.io/x\"\n)\n", "time.After"},
		"above a comment":      {"\nimport (\n\t// t\n\t\"time\"\n)\n", []string{"maps Keys"}, "\nimport (\n\t\"maps\"\n\t// t\n\t\"time\"\n)\n", "maps.Keys"},
		"a group of its own":   {"\nimport (\n\t\"k8s.io/x\"\n)\n", []string{"maps Keys", "time After"}, "\nimport (\n\t\"maps\"\n\t\"time\"\n\n\t\"k8s.io/x\"\n)\n", "maps.Keys time.After"},
		"another group":        {"\nimport (\n\t\"fmt\"\n)\n", []string{"k8s.io/api/core/v1 Pod"}, "\nimport (\n\t\"fmt\"\n\n\tcorev1 \"k8s.io/api/core/v1\"\n)\n", "corev1.Pod"},
		"the nearest group":    {"\nimport (\n\t\"example.com/a\"\n\n\t\"k8s.io/x\"\n)\n", []string{"k8s.io/api/core/v1 Pod"}, "\nimport (\n\t\"example.com/a\"\n\n\tcorev1 \"k8s.io/api/core/v1\"\n\t\"k8s.io/x\"\n)\n", "corev1.Pod"},
		"the name is taken":    {"\nimport maps \"k8s.io/x\"\n", []string{"maps Keys"}, "", ""},
		"the name is declared": {"\nvar maps int\n", []string{"maps Keys"}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const rest = "\nvar x = old\n"
			pass := load(t, "package p\n"+test.imports+rest)
			at := find(pass, "old")
			fix := begin(pass, at)
			var names []string
			for _, m := range test.members {
				path, member, _ := strings.Cut(m, " ")
				names = append(names, fix.Name(at, path, member))
			}
			fix.Replace(at, at+3, strings.Join(names, " "))
			done := fix.Done("").Fix
			if done == nil || test.text == "" {
				if (done == nil) != (test.text == "") {
					t.Fatalf("fix %v", done)
				}
				return
			}
			if got, want := apply(pass, done), "package p\n"+test.want+strings.Replace(rest, "old", test.text, 1); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func begin(pass *analysis.Pass, at token.Pos) *edit.Fix { return edit.NewEditor(pass).At(at) }

// TestUnusedImportGoes removes uses of an import, and with the last one the
// import.
func TestUnusedImportGoes(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ imports, want string }{
		"alone":           {"import \"time\"\n\n", ""},
		"in a block":      {"import (\n\t\"fmt\"\n\t\"time\"\n)\n\n", "import (\n\t\"fmt\"\n)\n\n"},
		"first group":     {"import (\n\t\"time\"\n\n\t\"k8s.io/x\"\n)\n\n", "import (\n\t\"k8s.io/x\"\n)\n\n"},
		"last group":      {"import (\n\t\"fmt\"\n\n\t\"time\"\n)\n\n", "import (\n\t\"fmt\"\n)\n\n"},
		"middle group":    {"import (\n\t\"fmt\"\n\n\t\"time\"\n\n\t\"k8s.io/x\"\n)\n\n", "import (\n\t\"fmt\"\n\n\t\"k8s.io/x\"\n)\n\n"},
		"with a comment":  {"import (\n\t\"fmt\"\n\t\"time\" // needed\n)\n\n", "no fix"},
		"below a comment": {"import (\n\t// needed\n\t\"time\"\n\n\t\"fmt\"\n)\n\n", "no fix"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const rest = "var x = time.Now()\n"
			pass := load(t, "package p\n\n"+test.imports+rest)
			at := find(pass, "time.Now()")
			fix := begin(pass, at)
			fix.Replace(at, at+token.Pos(len("time.Now()")), "1")
			done := fix.Done("").Fix
			if done == nil {
				if test.want != "no fix" {
					t.Error("no fix")
				}
				return
			}
			got := apply(pass, done)
			if want := "package p\n\n" + test.want + "var x = 1\n"; got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			if formatted, err := format.Source([]byte(got)); err != nil || string(formatted) != got {
				t.Errorf("gofmt makes %s, %v", formatted, err)
			}
		})
	}
}

// TestImportsThatMustStay checks a fix after which two imports are unused that
// cannot be removed.
func TestImportsThatMustStay(t *testing.T) {
	t.Parallel()
	const use = "fmt.Sprint(time.Now())"
	pass := load(t, "package p\n\nimport (\n\t\"fmt\"  // needed\n\t\"time\" // needed\n)\n\nvar x = "+use+"\n")
	at := find(pass, use)
	fix := begin(pass, at)
	fix.Replace(at, at+token.Pos(len(use)), "1")
	if fix.Done("").Fix != nil {
		t.Error("the fix drops a comment of an import")
	}
}

// TestTwoFixesDoNotOrphanAnImport checks two fixes that each remove one of two
// uses of an import. Together they would leave an unused import, so the second
// fix is not offered yet.
func TestTwoFixesDoNotOrphanAnImport(t *testing.T) {
	t.Parallel()
	pass := load(t, "package p\n\nimport \"time\"\n\nvar x, y = time.Hour, time.Minute\n")
	editor := edit.NewEditor(pass)
	drop := func(text string) *analysis.SuggestedFix {
		at := find(pass, text)
		fix := editor.At(at)
		fix.Replace(at, at+token.Pos(len(text)), "1")
		return fix.Done("").Fix
	}
	if drop("time.Hour") == nil {
		t.Error("no first fix")
	}
	if drop("time.Minute") != nil {
		t.Error("the second leaves an unused import")
	}
}

func TestCommentsAreKept(t *testing.T) {
	t.Parallel()
	pass := load(t, "package p\n\nvar x = 1 + /* why */ 2\n")
	from, to := find(pass, "1"), find(pass, "2")
	fix := begin(pass, from)
	fix.Replace(from, to, "")
	if fix.Done("").Fix != nil {
		t.Error("the fix drops a comment")
	}
}

func TestFilesNotToEdit(t *testing.T) {
	t.Parallel()
	for _, header := range []string{"// Code generated by x. DO NOT EDIT.\n\n", "//line other.go:1\n"} {
		pass := load(t, header+"package p\n\nvar x = 1\n")
		fix := begin(pass, find(pass, "1"))
		fix.Insert(find(pass, "1"), "2")
		if fix.Done("").Fix != nil {
			t.Errorf("%q: a fix", header)
		}
	}
	pass := load(t, "package p\n\nvar x = 1\n")
	pass.ReadFile = nil
	fix := edit.NewEditor(pass).At(pass.Files[0].End() - 2)
	fix.Insert(pass.Files[0].End()-2, "2")
	if fix.Done("").Fix != nil {
		t.Error("a fix of a file that cannot be read")
	}
}

// TestLineEnds: what a fix inserts has the line ends of the file.
func TestLineEnds(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ src, want string }{
		"CRLF": {
			"package p\r\n\r\nfunc f() {\r\n\tprintln(1)\r\n}\r\n",
			"package p\r\n\r\nimport \"time\"\r\n\r\nfunc f() {\r\n\tif true {\r\n\t\ttime.Now()\r\n\t}\r\n}\r\n",
		},
		"LF with a carriage return elsewhere": {
			"package p\n\nfunc f() {\n\tprintln(1)\n}\n\nvar s = `\r\n`\n",
			"package p\n\nimport \"time\"\n\nfunc f() {\n\tif true {\n\t\ttime.Now()\n\t}\n}\n\nvar s = `\r\n`\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pass := load(t, test.src)
			at := find(pass, "println")
			stmt := pass.Files[0].Decls[0].(*ast.FuncDecl).Body.List[0]
			fix := begin(pass, at)
			fix.ReplaceStmt(stmt, "if true {\n"+fix.Name(at, "time", "Now")+"()\n}")
			done := fix.Done("").Fix
			if done == nil {
				t.Fatal("no fix")
			}
			if got := apply(pass, done); got != test.want {
				t.Errorf("got\n%q\nwant\n%q", got, test.want)
			}
		})
	}
}
