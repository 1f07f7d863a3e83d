package changes_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/operatorvet/operatorvet/internal/run/changes"
)

// repository makes a repository with some commits.
func repository(t *testing.T) (dir string, git func(args ...string), write func(name, text string)) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	dir = t.TempDir()
	git = func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	write = func(name, text string) {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	git("init", "-q")
	return dir, git, write
}

func TestSince(t *testing.T) {
	t.Parallel()
	dir, git, write := repository(t)
	write("a.go", "1\n2\n3\n4\n5\n")
	write("moved.go", strings.Repeat("same\n", 50))
	write("gone.go", "1\n")
	write("sub/ü \"b\".go", "1\n2\n")
	git("add", ".")
	git("commit", "-qm", "first")
	git("tag", "first")
	write("a.go", "1\n2\n3\n++ b/x.go\nfour\n5")
	write("committed.go", "1\n2\n")
	git("mv", "moved.go", "new.go")
	git("rm", "-q", "gone.go")
	git("add", ".")
	git("commit", "-qm", "second")
	write("new.go", strings.Repeat("same\n", 50)+"more\n")
	write("sub/ü \"b\".go", "1\ntwo\n")
	write("staged.go", "staged\n")
	git("add", "staged.go")
	write("sub/fresh.go", "1\n")
	write(".gitignore", "ignored.go\n")
	write("ignored.go", "1\n")

	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Skip(err)
	}
	for _, from := range []string{dir, filepath.Join(dir, "sub"), link} {
		lines, err := changes.Since(from, "first")
		if err != nil {
			t.Fatal(err)
		}
		for _, test := range []struct {
			name     string
			from, to int
			want     bool
		}{
			{"a.go", 1, 3, false},
			{"a.go", 3, 4, true},
			{"a.go", 4, 0, true},
			{"a.go", 5, 5, true},
			{"a.go", 6, 6, true}, // it lost its line end
			{"a.go", 7, 9, false},
			{"committed.go", 2, 2, true},
			{"new.go", 50, 50, false},
			{"new.go", 51, 51, true},
			{"sub/ü \"b\".go", 1, 1, false},
			{"sub/ü \"b\".go", 2, 2, true},
			{"staged.go", 1, 1, true},
			{"sub/fresh.go", 1, 1, true},
			{"ignored.go", 1, 1, false},
			{"x.go", 1, 1, false},
		} {
			for _, root := range []string{dir, link} {
				if got := lines.Touch(filepath.Join(root, test.name), test.from, test.to); got != test.want {
					t.Errorf("from %s: %s:%d-%d: %v", from, filepath.Join(root, test.name), test.from, test.to, got)
				}
			}
		}
	}
}

func TestNoRevision(t *testing.T) {
	t.Parallel()
	dir, git, write := repository(t)
	write("a.go", "1\n")
	git("add", ".")
	git("commit", "-qm", "first")
	for _, revision := range []string{"nosuch", "", "--help", "HEAD:a.go"} {
		if _, err := changes.Since(dir, revision); err == nil || !strings.HasPrefix(err.Error(), "unknown revision ") {
			t.Errorf("%q: %v", revision, err)
		}
	}
	if _, err := changes.Since(t.TempDir(), "HEAD"); err == nil || !strings.HasPrefix(err.Error(), "git: not a git repository") {
		t.Errorf("no repository: %v", err)
	}
}
