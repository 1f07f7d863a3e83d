package config

import (
	"errors"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/operatorvet/operatorvet/internal/library"
)

const everything = `
rules:
  directive: false
ctxloop:
  max-wait: 1m30s
missingwatch:
  ignore-kinds: [ConfigMap, apps/Deployment, apps/v1/StatefulSet, v1/Secret, example.com/v1alpha1/Thing]
unstablewrite:
  ignore-fields:
  - status.lastSeen
  - Deployment spec.template.metadata.annotations[example.com/at]
functions:
  waits: [example.com/lib/retry.Do, (*example.com/lib.Client).Wait]
  writes: [(example.com/lib.v2/kube.Applier).Apply]
  owners: []
`

func TestEveryOption(t *testing.T) {
	t.Parallel()
	found, err := parse("f", []byte(everything))
	if err != nil {
		t.Fatal(err)
	}
	got := Default()
	for _, a := range found {
		a.apply(got)
	}
	want := &Options{
		Off:     map[string]bool{"directive": true},
		MaxWait: 90 * time.Second,
		IgnoreKinds: []library.GroupKind{
			library.KindNamed("ConfigMap"), {Group: "apps", Kind: "Deployment"}, {Group: "apps", Kind: "StatefulSet"},
			{Kind: "Secret"}, {Group: "example.com", Kind: "Thing"},
		},
		IgnoreFields: []Field{
			{Path: "status.lastSeen"}, {Kind: "Deployment", Path: "spec.template.metadata.annotations[example.com/at]"},
		},
		Waits:  Functions{"example.com/lib/retry.Do": true, "(example.com/lib.Client).Wait": true},
		Writes: Functions{"(example.com/lib.v2/kube.Applier).Apply": true},
		Owners: Functions{},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
	// Setting an option to its default changes nothing.
	for _, option := range All() {
		var values []string
		if def := option.Default(); def != "" {
			values = []string{def}
		}
		opts := Default()
		if err := option.set(opts, values); err != nil || option.get(opts) != option.Default() {
			t.Errorf("%s: default %q: %v", option.Name, option.Default(), err)
		}
		if err := new(Overrides).set(option, option.Example); err != nil {
			t.Errorf("%s: example: %v", option.Name, err)
		}
	}
}

// TestDocumentedFile parses the file that docs/options.md shows, and its example
// of golangci-lint's settings.
func TestDocumentedFile(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/options.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllSubmatch(page, -1)
	if len(blocks) != 2 {
		t.Fatalf("docs/options.md has %d examples", len(blocks))
	}
	if found, err := parse("docs/options.md", blocks[0][1]); err != nil || len(found) != 6 {
		t.Errorf("%d options: %v", len(found), err)
	}
	settings := make(map[string]any)
	if err := yaml.Unmarshal(blocks[1][1], settings); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"linters", "settings", "custom", "operatorvet", "settings"} {
		settings, _ = settings[key].(map[string]any)
	}
	if overrides, err := FromSettings(settings); err != nil || len(overrides.assignments) != 1 {
		t.Errorf("golangci-lint's: %v", err)
	}
}

func TestFieldCovers(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		field, place string
		want         bool
	}{
		{"status.lastSeen", "Thing status.lastSeen", true},
		{"status", "Thing status.lastSeen", true},
		{"status.last", "Thing status.lastSeen", false},
		{"status.lastSeen", "the object status.lastSeen", true},
		{"Thing status", "Thing status.lastSeen", true},
		{"Thing status", "OtherThing status.lastSeen", false},
		{"Thing status", "the object status.lastSeen", false},
		{"metadata.annotations", "Thing metadata.annotations[example.com/x]", true},
		{"metadata.annotations[a]", "Thing metadata.annotations[b]", false},
		{"data", "ConfigMap", false},
	} {
		f, err := field(test.field)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Covers(test.place); got != test.want {
			t.Errorf("%q covers %q: %v", test.field, test.place, got)
		}
	}
}

func TestSettings(t *testing.T) {
	t.Parallel()
	// As decoded by golangci-lint.
	settings := map[string]any{
		"rules":        map[string]any{"ctxloop": false},
		"ctxloop":      map[string]any{"max-wait": "3s"},
		"missingwatch": map[string]any{"ignore-kinds": []any{"ConfigMap"}},
	}
	overrides, err := FromSettings(settings)
	if err != nil {
		t.Fatal(err)
	}
	opts, err := overrides.For(t.TempDir())
	if err != nil || opts.MaxWait != 3*time.Second || !opts.Off["ctxloop"] || len(opts.IgnoreKinds) != 1 {
		t.Errorf("got %+v, %v", opts, err)
	}
	if _, err := FromSettings(map[string]any{"ctxloop": map[string]any{"max-wait": 3}}); err == nil || err.Error() != `ctxloop.max-wait: "3" is no duration like 500ms, 5s or 1m30s` {
		t.Errorf("got %v", err)
	}
	if overrides, err := FromSettings(nil); err != nil || len(overrides.assignments) > 0 {
		t.Errorf("no settings: got %v, %v", overrides, err)
	}
}

// FuzzParse checks that any file yields options or an error of one line.
func FuzzParse(f *testing.F) {
	f.Add(everything)
	f.Add("a: &a [*a]")
	f.Add("rules: &r {<<: *r}")
	f.Add("? [a]\n: b")
	f.Fuzz(func(t *testing.T, text string) {
		_, err := parse("f", []byte(text))
		if err == nil {
			return
		}
		var wrong *Error
		if !errors.As(err, &wrong) || strings.ContainsAny(err.Error(), "\n\r") {
			t.Errorf("%#v", err)
		}
	})
}
