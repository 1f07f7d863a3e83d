package private

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestCopy copies a module in a workspace that another module replaces a
// dependency of.
func TestCopy(t *testing.T) {
	t.Parallel()
	dir, to := t.TempDir(), t.TempDir()
	arc := txtar.Parse([]byte(`
-- repo/go.work --
go 1.25

use ./operator
-- repo/operator/go.mod --
module example.com/operator

go 1.25

require example.com/api v0.0.0

replace example.com/api => ../api
-- repo/operator/a.go --
package operator
-- repo/operator/.git/config --
[core]
-- repo/api/go.mod --
module example.com/api
-- repo/unrelated/b.go --
package unrelated
`))
	if err := txtar.Write(arc, dir); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a.go", filepath.Join(dir, "repo", "operator", "link.go")); err != nil {
		t.Fatal(err)
	}
	got, err := Copy(context.Background(), filepath.Join(dir, "repo", "operator"), to)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		"go.mod":              true,
		"a.go":                true,
		"link.go":             true,
		".git":                false,
		"../api/go.mod":       true,
		"../go.work":          true,
		"../unrelated/b.go":   false,
		"../operator/go.work": false,
	} {
		_, err := os.Stat(filepath.Join(got, filepath.FromSlash(name)))
		if (err == nil) != want {
			t.Errorf("%s: there is %v, want %v", name, err == nil, want)
		}
	}
	if _, err := Copy(context.Background(), t.TempDir(), t.TempDir()); err == nil {
		t.Error("no error for a directory without a module")
	}
}
