package baseline_test

import (
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/operatorvet/operatorvet/internal/run/baseline"
	"github.com/operatorvet/operatorvet/internal/run/driver"
)

func finding(pkg, function, file string, line int, message string) driver.Finding {
	return driver.Finding{
		Rule:     "bad",
		Package:  pkg,
		Function: function,
		Pos:      token.Position{Filename: file, Line: line, Column: 1},
		Message:  message,
	}
}

func TestPlacesInMessagesDoNotMatter(t *testing.T) {
	t.Parallel()
	for _, same := range [][]string{
		{"R creates v1.Secret (apply.go:41) but watches none", "R creates v1.Secret (other_file.go:7) but watches none", "R creates v1.Secret (line 12) but watches none"},
		{"waits (api/x.go:1:2, y.go:3)", "waits (api/x.go:10:20, z.go:30)"},
	} {
		for _, message := range same[1:] {
			if a, b := baseline.KeyOf(finding("p", "F", "a.go", 1, same[0])), baseline.KeyOf(finding("p", "F", "b.go", 2, message)); a != b {
				t.Errorf("%v\n%v", a, b)
			}
		}
	}
	for _, message := range []string{"polls (every 5m0s)", "HPA autoscaling/v2, baseline 3", "reads main.go"} {
		if got := baseline.KeyOf(finding("p", "F", "a.go", 1, message)).Message; got != message {
			t.Errorf("%q became %q", message, got)
		}
	}
}

func TestExternalTestsBelongToTheirPackage(t *testing.T) {
	t.Parallel()
	k := baseline.KeyOf(finding("example.com/p_test", "TestF", "p_test.go", 1, "m"))
	if k.Package != "example.com/p" || !k.Test {
		t.Errorf("got %+v", k)
	}
	if k := baseline.KeyOf(finding("example.com/p_test", "F", "p.go", 1, "m")); k.Package != "example.com/p_test" || k.Test {
		t.Errorf("got %+v", k)
	}
}

func TestEqualFindingsAreCounted(t *testing.T) {
	t.Parallel()
	three := []driver.Finding{
		finding("p", "F", "a.go", 1, "m"),
		finding("p", "F", "a.go", 2, "m"),
		finding("p", "F", "a.go", 3, "m"),
	}
	fresh, left := baseline.Of(three[:2]).Split(three)
	if len(fresh) != 1 || fresh[0].Pos.Line != 3 || len(left) != 0 {
		t.Errorf("two known, three found: fresh %v, left %v", fresh, left)
	}
	fresh, left = baseline.Of(three).Split(three[:1])
	if len(fresh) != 0 || left[baseline.KeyOf(three[0])] != 2 || left.Total() != 2 {
		t.Errorf("three known, one found: fresh %v, left %v", fresh, left)
	}
}

func TestFingerprintsDiffer(t *testing.T) {
	t.Parallel()
	k := baseline.KeyOf(finding("p", "F", "a.go", 1, "m"))
	other := k
	other.Function, other.Rule = "", "F"
	seen := []string{k.Fingerprint(0), k.Fingerprint(1), other.Fingerprint(0)}
	if slices.Sort(seen); len(slices.Compact(seen)) != 3 {
		t.Errorf("%q", seen)
	}
	if moved := baseline.KeyOf(finding("p", "F", "b.go", 9, "m")); moved.Fingerprint(0) != k.Fingerprint(0) {
		t.Error("moving changes the fingerprint")
	}
}

// What a run has not looked at, it cannot call gone.
func TestView(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for _, file := range []string{"api/api.go", "seen/seen.go", "docs/README.md"} {
		if err := os.MkdirAll(filepath.Join(root, filepath.Dir(file)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, file), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	key := func(rule, pkg string, test bool) baseline.Key {
		return baseline.Key{Rule: rule, Package: pkg, Message: "m", Test: test}
	}
	known := baseline.Baseline{
		key("bad", "example.com/m/seen", false):      1,
		key("bad", "example.com/m/seen", true):       1,
		key("off", "example.com/m/seen", false):      1, // rule did not run
		key("bad", "example.com/m/api", false):       1, // package was not looked at
		key("bad", "example.com/m/removed", false):   1,
		key("bad", "example.com/m/docs", false):      1, // no Go files any more
		key("bad", "example.com/other/seen", false):  1, // another module
		key("bad", "example.com/moreover/it", false): 1, // likewise
		key("bad", "example.com/m/only", true):       1, // has external tests only
	}
	view := baseline.View{
		Report: &driver.Report{
			Packages: []string{"example.com/m/only_test", "example.com/m/seen"},
			Modules:  map[string]string{"example.com/m": root},
		},
		Rules: func(name string) bool { return name == "bad" },
		Tests: true,
	}
	names := func(b baseline.Baseline) (list []string) {
		for _, k := range b.Keys() {
			name := k.Rule + " " + strings.TrimPrefix(k.Package, "example.com/")
			if k.Test {
				name += " test"
			}
			list = append(list, name)
		}
		return list
	}
	inside, outside := known.Inside(view)
	if got, want := names(inside), []string{"bad m/docs", "bad m/only test", "bad m/removed", "bad m/seen", "bad m/seen test"}; !slices.Equal(got, want) {
		t.Errorf("inside %q, want %q", got, want)
	}
	if got, want := names(outside), []string{"bad m/api", "off m/seen", "bad moreover/it", "bad other/seen"}; !slices.Equal(got, want) {
		t.Errorf("outside %q, want %q", got, want)
	}
	view.Tests = false
	inside, _ = known.Inside(view)
	if got, want := names(inside), []string{"bad m/docs", "bad m/removed", "bad m/seen"}; !slices.Equal(got, want) {
		t.Errorf("without tests: inside %q, want %q", got, want)
	}
}

func TestFileIsReadAsWritten(t *testing.T) {
	t.Parallel()
	b := baseline.Of([]driver.Finding{
		finding("p", "(*T).F", "a.go", 1, `it is <bad> & "ugly"`),
		finding("p", "(*T).F", "a.go", 2, `it is <bad> & "ugly"`),
		finding("p_test", "TestF", "a_test.go", 1, "m"),
		finding("o", "", "a.go", 1, "m"),
	})
	name := filepath.Join(t.TempDir(), "baseline.json")
	if err := b.Write(name); err != nil {
		t.Fatal(err)
	}
	first, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{
	"version": 1,
	"findings": [
		{
			"package": "o",
			"rule": "bad",
			"message": "m"
		},
		{
			"package": "p",
			"function": "(*T).F",
			"rule": "bad",
			"message": "it is <bad> & \"ugly\"",
			"count": 2
		},
		{
			"package": "p",
			"function": "TestF",
			"rule": "bad",
			"message": "m",
			"test": true
		}
	]
}
`
	if string(first) != want {
		t.Errorf("got\n%s", first)
	}
	again, err := baseline.Read(name)
	if err != nil || !reflect.DeepEqual(again, b) {
		t.Errorf("%v\nread %v\nwant %v", err, again, b)
	}
}

func TestEntriesOfAMergeAddUp(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "baseline.json")
	const twice = `{"version": 1, "findings": [
		{"package": "p", "rule": "bad", "message": "m"},
		{"package": "p", "rule": "bad", "message": "m", "count": 2}]}`
	if err := os.WriteFile(name, []byte(twice), 0o644); err != nil {
		t.Fatal(err)
	}
	if b, err := baseline.Read(name); err != nil || b.Total() != 3 {
		t.Errorf("%v, %v", b, err)
	}
}

func TestBadFile(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "baseline.json")
	for _, test := range []struct{ content, want string }{
		{"", ":1: not a baseline: unexpected end of JSON input"},
		{"{\n\"version\": 1,\n<<<<<<< HEAD\n}", ":3: not a baseline: invalid character '<' looking for beginning of object key string"},
		{"[]", ":1: not a baseline: json: cannot unmarshal array into Go value of type"},
		{"null", ": not a baseline: it has no version"},
		{"{}", ": not a baseline: it has no version"},
		{`{"findings": []}`, ": not a baseline: it has no version"},
		{`{"version": "1"}`, ":1: not a baseline: json: cannot unmarshal string"},
		{`{"version": 2, "accepted": {}}`, ": version 2; this operatorvet knows version 1"},
		{"{\"version\": 1,\n\"accepted\": []}", `: json: unknown field "accepted"`},
		{"{\"version\": 1, \"findings\": [\n{\"package\": 1}]}", ":2: json: cannot unmarshal number"},
		{`{"version": 1, "findings": [{"package": "p", "rule": "r"}]}`, ": findings[0]: wants rule, package, message"},
		{`{"version": 1, "findings": [{"package": "p", "rule": "r", "message": "m", "count": -1}]}`, ": findings[0]: wants"},
		{`{"version": 1, "findings": []} {}`, ": not a baseline: invalid character '{' after top-level value"},
	} {
		if err := os.WriteFile(name, []byte(test.content), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := baseline.Read(name)
		if err == nil {
			t.Errorf("%q is read", test.content)
			continue
		}
		got, ok := strings.CutPrefix(err.Error(), name)
		if !ok || !strings.Contains(got, test.want) || strings.Contains(got, "\n") {
			t.Errorf("%q: got %v, want %s", test.content, err, test.want)
		}
	}
}

// A baseline that cannot be written leaves the old one, and nothing beside it.
func TestWriteIsWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	// A directory in the file's place cannot be replaced.
	name := filepath.Join(dir, "baseline.json")
	if err := os.MkdirAll(filepath.Join(name, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := make(baseline.Baseline).Write(name); err == nil {
		t.Error("no error")
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
	if err := make(baseline.Baseline).Write(filepath.Join(dir, "no", "such")); err == nil {
		t.Error("no error")
	}
}

func TestWriteKeepsLinkAndMode(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	real, link := filepath.Join(dir, "real.json"), filepath.Join(dir, "link.json")
	if err := os.WriteFile(real, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real.json", link); err != nil {
		t.Skip(err)
	}
	if err := make(baseline.Baseline).Write(link); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(link)
	if err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info, err)
	}
	if info, err := os.Stat(real); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if _, err := baseline.Read(real); err != nil {
		t.Error(err)
	}
}
