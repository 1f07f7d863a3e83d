package apply_test

import (
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
func fix(file string, oldNew ...string) driver.Finding {
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
