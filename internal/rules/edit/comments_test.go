package edit_test

import (
	"go/format"
	"go/token"
	"strings"
	"testing"

	"github.com/operatorvet/operatorvet/internal/rules/edit"
)

// TestRemoveComment removes the comment //x, and compares the rest.
func TestRemoveComment(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ src, want string }{
		"its line":              {"var a = 1\n\n//x\nvar b = 2\n", "var a = 1\n\nvar b = 2\n"},
		"behind code":           {"var a = 1 //x\n", "var a = 1\n"},
		"behind aligned code":   {"var a = 1      //x\nvar b = 20000  // b\n", "no fix"},
		"below aligned code":    {"var (\n\ta   = 1 // a\n\tbcd = 2 //x\n)\n", "no fix"},
		"beside a comment":      {"// Doc.\nvar a = 1 //x\n", "// Doc.\nvar a = 1\n"},
		"between blank lines":   {"var a = 1\n\n//x\n\nvar b = 2\n", "var a = 1\n\nvar b = 2\n"},
		"end of documentation":  {"// F f.\n//\n//x\nfunc F() {}\n", "// F f.\nfunc F() {}\n"},
		"not all of the end":    {"// F f.\n//\n//x\n//go:noinline\nfunc F() {}\n", "// F f.\n//\n//go:noinline\nfunc F() {}\n"},
		"first of a group":      {"func F() {\n\t//x\n\t// Why.\n\tprintln()\n}\n", "func F() {\n\t// Why.\n\tprintln()\n}\n"},
		"end of a block":        {"func F() {\n\tprintln()\n\n\t//x\n}\n", "func F() {\n\tprintln()\n}\n"},
		"beginning of a block":  {"func F() {\n\t//x\n\n\tprintln()\n}\n", "func F() {\n\tprintln()\n}\n"},
		"carriage returns":      {"func F() {\r\n\t//x\r\n\tprintln()\r\n}\r\n", "func F() {\r\n\tprintln()\r\n}\r\n"},
		"behind a comment":      {"/* y */ //x\nvar a = 1\n", "/* y */\nvar a = 1\n"},
		"above the only code":   {"//x\nvar a = 1\n", "var a = 1\n"},
		"at the end of a file":  {"var a = 1\n\n//x", "var a = 1\n"},
		"alone at the file end": {"var a = 1\n//x\n", "var a = 1\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pass := load(t, "package p\n\n"+test.src)
			at := find(pass, "//x")
			fix := edit.NewEditor(pass).At(at)
			fix.RemoveComment(at, at+token.Pos(len("//x")))
			done := fix.Done("").Fix
			if done == nil {
				if test.want != "no fix" {
					t.Error("no fix")
				}
				return
			}
			got := apply(pass, done)
			if want := "package p\n\n" + test.want; got != want {
				t.Fatalf("got\n%s\nwant\n%s", got, want)
			}
			got = strings.ReplaceAll(got, "\r", "")
			if formatted, err := format.Source([]byte(got)); err != nil || string(formatted) != got {
				t.Errorf("gofmt makes %s, %v", formatted, err)
			}
		})
	}
}

// TestChangeComment cuts and replaces parts of comments.
func TestChangeComment(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		src, old string
		change   func(*edit.Fix, token.Pos, token.Pos)
		want     string
	}{
		"first of a list":  {"//i a, b,c why\nvar a = 1\n", "a", (*edit.Fix).CutComment, "//i b,c why\nvar a = 1\n"},
		"last of a list":   {"//i x,y, c why\nvar a = 1\n", "c", (*edit.Fix).CutComment, "//i x,y why\nvar a = 1\n"},
		"whole comment":    {"var a = 1 // i b\n", "// i b", replaceBy("//i b"), "var a = 1 //i b\n"},
		"before code":      {"/*i b*/ var a = 1\n", "/*i b*/", replaceBy("//i b"), "no fix"},
		"in documentation": {"// Doc.\n// i b\nvar a = 1\n", "// i b", replaceBy("//i b"), "no fix"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			src := "package q\n\n" + test.src
			pass := load(t, src)
			at := pass.Files[0].FileStart + token.Pos(len("package q\n\n")+strings.Index(test.src, test.old))
			fix := edit.NewEditor(pass).At(at)
			test.change(fix, at, at+token.Pos(len(test.old)))
			got := "no fix"
			if done := fix.Done("").Fix; done != nil {
				got = strings.TrimPrefix(apply(pass, done), "package q\n\n")
			}
			if got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

func replaceBy(text string) func(*edit.Fix, token.Pos, token.Pos) {
	return func(f *edit.Fix, pos, end token.Pos) { f.ReplaceComment(pos, end, text) }
}
