package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/operatorvet/operatorvet/field/internal/lint"
)

// A clone made with a limit on the size of files has not all of them.
func TestArchiveWithoutAbsentFiles(t *testing.T) {
	t.Parallel()
	tree := t.TempDir()
	for name, content := range map[string]string{"a.go": "package a\n", "b/[large] file.txt": "large\n", "b/b.go": "package b\n"} {
		file := filepath.Join(tree, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	commit := clone(t, tree)
	object, err := lint.Output(context.Background(), tree, "git", "rev-parse", "HEAD:b/[large] file.txt")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(tree, ".git", "objects", object[:2], object[2:])); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "out")
	if err := archive(context.Background(), tree, commit, dir); err != nil {
		t.Fatal(err)
	}
	var files []string
	if err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(dir, path)
			files = append(files, filepath.ToSlash(rel))
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(files, " "); got != "a.go b/b.go" {
		t.Errorf("the tree has %s", got)
	}
	if err := archive(context.Background(), tree, "0123456", filepath.Join(t.TempDir(), "none")); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("of an unknown commit: %v", err)
	}
}
