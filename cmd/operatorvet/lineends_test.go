package main_test

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFixKeepsLineEnds: in files with lines that end in a carriage return and a line
// feed, -fix changes the same lines as in others, and -diff shows these.
func TestFixKeepsLineEnds(t *testing.T) {
	t.Parallel()
	dir, want := fixableTree(t)
	crlf := func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }
	for name, text := range contents(t, dir) {
		if strings.HasSuffix(name, ".go") {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(crlf(text)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name := range maps.Clone(want) {
		if strings.HasSuffix(name, ".go") {
			want[name] = crlf(want[name])
		}
	}
	if diff := operatorvet(t, dir, "-diff"); strings.Contains(diff.stdout, "\n-package") || !strings.Contains(diff.stdout, "\n+\t\tcase <-ctx.Done():\r\n") {
		t.Errorf("-diff changes other lines, or their ends\n%s", diff.stdout)
	}
	operatorvet(t, dir, "-fix")
	sameContents(t, dir, want)
}
