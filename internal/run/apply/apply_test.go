package apply_test

import (
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/operatorvet/operatorvet/internal/run/apply"
	"github.com/operatorvet/operatorvet/internal/run/driver"
)

const source = `package p

import (
	"fmt"
)

var a, b, c = 1, 2, 3
`

// fix returns a finding that replaces the first occurrences of texts.
func fix(file string, oldNew ...string) driver.Finding { return fixIn(source, file, oldNew...) }

// fixIn does so in a file with another text.
func fixIn(source, file string, oldNew ...string) driver.Finding {
	var edits []driver.Edit
	for i := 0; i < len(oldNew); i += 2 {
		at := strings.Index(source, oldNew[i])
		edits = append(edits, driver.Edit{
			Pos:      token.Position{Filename: file, Offset: at},
			End:      token.Position{Filename: file, Offset: at + len(oldNew[i])},
			New:      oldNew[i+1],
			FileSize: len(source),
		})
	}
	return driver.Finding{Message: strings.Join(oldNew, " "), Fixes: []driver.Fix{{Edits: edits}}}
}

func write(t *testing.T) string {
	file := filepath.Join(t.TempDir(), "p.go")
	if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestFixesMerge(t *testing.T) {
	t.Parallel()
	file := write(t)
	plan, err := apply.New([]driver.Finding{
		fix(file, "1", "11", "\t\"fmt\"", "\t\"time\"\n\t\"fmt\""),
		fix(file, "2", "22", "\t\"fmt\"", "\t\"time\"\n\t\"fmt\""), // adds the same import
		fix(file, "3", "33", "b, c = 1, 2", ""),                    // overlaps with both
		{},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(plan.Fixed) != 2 || len(plan.Left) != 1 {
		t.Errorf("%d fixed, %d left", len(plan.Fixed), len(plan.Left))
	}
	want := strings.NewReplacer("1, 2", "11, 22", "\t\"fmt\"", "\t\"fmt\"\n\t\"time\"").Replace(source)
	if len(plan.Files) != 1 || string(plan.Files[0].New) != want {
		t.Fatalf("got\n%s\nwant\n%s", plan.Files[0].New, want)
	}
	if n, err := plan.Write(); n != 1 || err != nil {
		t.Error(n, err)
	}
	if text, _ := os.ReadFile(file); string(text) != want {
		t.Errorf("wrote\n%s", text)
	}
}

func TestChangedFileIsLeftAlone(t *testing.T) {
	t.Parallel()
	file := write(t)
	changed := source + "\nvar d = 4\n"
	if err := os.WriteFile(file, []byte(changed), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := apply.New([]driver.Finding{fix(file, "1", "2")}); err == nil || !strings.Contains(err.Error(), "was changed") {
		t.Errorf("changed before: %v", err)
	}

	file = write(t)
	plan, err := apply.New([]driver.Finding{fix(file, "1", "2")})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(changed), 0o644); err != nil {
		t.Fatal(err)
	}
	if n, err := plan.Write(); n != 0 || err == nil || !strings.Contains(err.Error(), "was changed") {
		t.Errorf("changed after: %d, %v", n, err)
	}
	if text, _ := os.ReadFile(file); string(text) != changed {
		t.Errorf("wrote\n%s", text)
	}
}

// TestFailureLeavesNothingBehind: whatever keeps a file from being written, it
// is as it was, and nothing is beside it.
func TestFailureLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	if os.Getuid() == 0 {
		t.Skip("nothing is read-only for root")
	}
	for _, mode := range []os.FileMode{0o444, 0o644} {
		file := write(t)
		plan, err := apply.New([]driver.Finding{fix(file, "1", "2")})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(file, mode); err != nil {
			t.Fatal(err)
		}
		if mode == 0o644 { // then it is the directory
			if err := os.Chmod(filepath.Dir(file), 0o555); err != nil {
				t.Fatal(err)
			}
			defer os.Chmod(filepath.Dir(file), 0o755)
		}
		if n, err := plan.Write(); n != 0 || err == nil {
			t.Errorf("%d, %v", n, err)
		}
		text, _ := os.ReadFile(file)
		entries, _ := os.ReadDir(filepath.Dir(file))
		if string(text) != source || len(entries) != 1 {
			t.Errorf("%d files, \n%s", len(entries), text)
		}
	}
}

// TestOtherLinesStay: where gofmt would change more than the fixes do, only their
// lines change, and line ends stay.
func TestOtherLinesStay(t *testing.T) {
	t.Parallel()
	crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	const (
		ugly      = "package p\n\nimport (\n\"fmt\"\n)\n\nvar a  =  1\nvar b  =  2 // two\n"
		uglyFixed = "package p\n\nimport (\n\"maps\"\n\"time\"\n\"fmt\"\n)\n\nvar a  =  11\nvar b  =  22 // two\n"
		fine      = "package p\n\nimport (\n\t\"fmt\"\n)\n\nvar a = 1 // one\nvar b = 2 // two\n"
		fineFixed = "package p\n\nimport (\n\t\"fmt\"\n\t\"maps\"\n\t\"time\"\n)\n\nvar a = 11 // one\nvar b = 22 // two\n"
	)
	mixed := func(s string) string { return strings.Replace(s, "package p\n", "package p\r\n", 1) }
	as := func(s string) string { return s }
	for name, test := range map[string]struct {
		ends      func(string) string
		old, want string
	}{
		"not formatted":          {as, ugly, uglyFixed},
		"not formatted, CRLF":    {crlf, ugly, uglyFixed},
		"formatted but for CRLF": {crlf, fine, fineFixed},
		"formatted":              {as, fine, fineFixed},
		"not formatted, mixed":   {mixed, ugly, uglyFixed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "p.go")
			old := test.ends(test.old)
			if err := os.WriteFile(file, []byte(old), 0o644); err != nil {
				t.Fatal(err)
			}
			end := "\n"
			if strings.Contains(old, "fmt\"\r") {
				end = "\r\n"
			}
			line := "\"fmt\"" + end
			added := strings.ReplaceAll("\"maps\"\n\"time\"\n", "\n", end)
			plan, err := apply.New([]driver.Finding{
				fixIn(old, file, line, added+line, "1", "11"),
				fixIn(old, file, "2", "22"),
			})
			if err != nil {
				t.Fatal(err)
			}
			if got, want := string(plan.Files[0].New), test.ends(test.want); got != want {
				t.Errorf("got\n%q\nwant\n%q", got, want)
			}
		})
	}
}

// TestImportAddedTwice: two fixes insert different texts that have an import in common,
// in a file that is not formatted.
func TestImportAddedTwice(t *testing.T) {
	t.Parallel()
	const old = "package p\n\nimport (\n\"fmt\"\n)\n\nvar a  =  1\nvar b  =  2\n"
	for _, end := range []string{"\n", "\r\n"} {
		old := strings.ReplaceAll(old, "\n", end)
		file := filepath.Join(t.TempDir(), "p.go")
		if err := os.WriteFile(file, []byte(old), 0o644); err != nil {
			t.Fatal(err)
		}
		insert := func(text, number, by string) driver.Finding {
			f := fixIn(old, file, "", strings.ReplaceAll(text, "\n", end), number, by)
			at := strings.Index(old, "\"fmt\"")
			f.Fixes[0].Edits[0].Pos.Offset, f.Fixes[0].Edits[0].End.Offset = at, at
			return f
		}
		plan, err := apply.New([]driver.Finding{
			insert("\"maps\"\n\"time\"\n", "1", "11"),
			insert("\"time\"\n", "2", "22"),
		})
		if err != nil {
			t.Fatal(err)
		}
		want := strings.ReplaceAll("package p\n\nimport (\n\"maps\"\n\"time\"\n\"fmt\"\n)\n\nvar a  =  11\nvar b  =  22\n", "\n", end)
		if got := string(plan.Files[0].New); len(plan.Left) > 0 || got != want {
			t.Errorf("got\n%q\nwant\n%q", got, want)
		}
	}
}

// TestManyEdits: a plan of very many fixes of one file is made in time.
func TestManyEdits(t *testing.T) {
	t.Parallel()
	const n = 30000
	line := "var _ = 1\n"
	text := "package p\n\n" + strings.Repeat(line, n)
	file := filepath.Join(t.TempDir(), "p.go")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	var findings []driver.Finding
	for i := range n {
		at := len("package p\n\n") + i*len(line) + len("var _ = ")
		findings = append(findings, driver.Finding{Fixes: []driver.Fix{{Edits: []driver.Edit{{
			Pos: token.Position{Filename: file, Offset: at}, End: token.Position{Filename: file, Offset: at + 1}, New: "2", FileSize: len(text),
		}}}}})
	}
	start := time.Now()
	plan, err := apply.New(findings)
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("it takes %v", took)
	}
	if err != nil || len(plan.Fixed) != n || string(plan.Files[0].New) != strings.ReplaceAll(text, "1", "2") {
		t.Errorf("%d fixed, %v", len(plan.Fixed), err)
	}
}
