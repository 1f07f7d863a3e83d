package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestChoose(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ want, goVersion, chosen, err string }{
		{"", "go1.26.8", "v0.23.0", ""},
		{"", "go1.27rc1", "v0.23.0", ""},
		{"v0.23.0", "go1.26.0", "v0.23.0", ""},
		{"v0.23.0", "go1.27.1", "v0.23.0", ""},
		{"v0.23.0", "go1.25.4", "", "gopls v0.23.0 needs Go 1.26; this is go1.25.4"},
		{"", "go1.25.4", "", "no tested gopls builds with go1.25.4; there is v0.23.0 (for Go 1.26)"},
		{"v0.19.0", "go1.26.0", "", "operatorvet was not tested in gopls v0.19.0; choose one of v0.23.0 (for Go 1.26)"},
	} {
		chosen, err := choose(test.want, test.goVersion)
		if chosen.version != test.chosen || err == nil != (test.err == "") || err != nil && err.Error() != test.err {
			t.Errorf("choose(%q, %q) = %v, %v, want %s, %s", test.want, test.goVersion, chosen, err, test.chosen, test.err)
		}
	}
}

// TestBadInput checks that an error is one line and leaves no files behind.
func TestBadInput(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, "plugin/gopls: usage: plugin/gopls -o FILE [-version VERSION]"},
		{[]string{"-o", dir}, "plugin/gopls: " + dir + " is a folder; -o names a file"},
		{[]string{"-o", filepath.Join(dir, "missing", "gopls")}, "plugin/gopls: cannot write " + filepath.Join(dir, "missing", "gopls")},
		{[]string{"-o", filepath.Join(dir, "gopls"), "-version", "v0.1.0"}, "plugin/gopls: operatorvet was not tested in gopls v0.1.0; choose one of v0."},
	} {
		var stdout, stderr bytes.Buffer
		code := run(context.Background(), test.args, &stdout, &stderr)
		if got := stderr.String(); code == 0 || !strings.HasPrefix(got, test.want) || strings.Count(got, "\n") != 1 || stdout.Len() > 0 {
			t.Errorf("%q: exit code %d, output %q, error output %q, want %q", test.args, code, &stdout, got, test.want)
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestOverlayNeedsTheListOfAnalyzers(t *testing.T) {
	t.Parallel()
	const list = "var AllAnalyzers = initAnalyzers()\n"
	const wrapper = "type Analyzer struct {\n\tanalyzer *analysis.Analyzer\n}\n"
	for source, fits := range map[string]bool{
		list + wrapper: true,
		list:           false,
		wrapper:        false,
		list + "type Analyzer struct{ Analyzer *analysis.Analyzer }": false,
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "analysis.go"), []byte("package settings\n"+source), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := checkSettings(dir); err == nil != fits {
			t.Errorf("%s\n%v, want it to fit: %t", source, err, fits)
		}
	}
}
