// Package operator holds what must be true of the module as a whole.
package operator

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// What is generated is what the generator makes of the sources as they are now.
func TestGeneratedFilesAreFresh(t *testing.T) {
	t.Parallel()
	copied := t.TempDir()
	for _, dir := range []string{"api", "internal/controller", "internal/drain", "internal/metrics", "preempt", "config", "tools"} {
		if err := os.CopyFS(filepath.Join(copied, dir), os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{"go.mod", "go.sum"} {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(copied, file), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	generate := exec.Command("go", "generate", "./api/...", "./internal/controller")
	generate.Dir = copied
	generate.Env = append(os.Environ(), "GOWORK=off")
	if out, err := generate.CombinedOutput(); err != nil {
		t.Fatalf("go generate: %v\n%s", err, out)
	}
	for _, dir := range []string{"api", "config"} {
		same(t, dir, filepath.Join(copied, dir))
		same(t, filepath.Join(copied, dir), dir) // no file too few, either
	}
}

func same(t *testing.T, ours, theirs string) {
	t.Helper()
	err := filepath.WalkDir(ours, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		relative, err := filepath.Rel(ours, path)
		if err != nil {
			return err
		}
		want, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		got, err := os.ReadFile(filepath.Join(theirs, relative))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what is generated: run make generate manifests (%v)", relative, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
