package lint

import (
	"slices"
	"testing"
)

func TestStable(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"map order (cluster.go:937) reaches x in Update (line 269); each write differs": "map order reaches x in Update; each write differs",
		"runs on ctx, which is done here (main.go:196); run it":                         "runs on ctx, which is done here; run it",
		"Instance.Stop (DB.ExecContext, instance.go:1665) runs":                         "Instance.Stop (DB.ExecContext, instance.go) runs",
		"example.com/b: b/b.go:3:9: undefined: missing":                                 "example.com/b: b/b.go: undefined: missing",
	} {
		if got := Stable(message); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", message, got, want)
		}
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	const output = `{"example.com/m/b": {"ctxloop": [{"posn": "/m/b/b.go:4:2", "end": "/m/b/b.go:4:8", "message": "second (b.go:9)"}, {"posn": "/m/b/b.go:3:1", "message": "first"}]},
"example.com/m/a": {"missingwatch": [{"posn": "/other/a.go:1:1", "message": "outside"}], "operatorpartial": [{"posn": "/m/a.go:5:1", "message": "Reconcile in a.go:5 is analysed in part"}]}}`
	got, partial, err := parse("/m", []byte(output))
	if err != nil {
		t.Fatal(err)
	}
	want := []Finding{
		{"missingwatch", "../other/a.go", 1, "outside"},
		{"ctxloop", "b/b.go", 3, "first"},
		{"ctxloop", "b/b.go", 4, "second"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if want := []Finding{{"operatorpartial", "a.go", 5, "Reconcile in a.go is analysed in part"}}; !slices.Equal(partial, want) {
		t.Errorf("analysed in part: got %v, want %v", partial, want)
	}
	for _, bad := range []string{`{"a": {"b": [{"posn": "x"}]}}`, `{"a": {"b": [{"posn": "x.go:y:1"}]}}`, `{`} {
		if _, _, err := parse("/m", []byte(bad)); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}

func TestFailures(t *testing.T) {
	t.Parallel()
	got := failures("/tmp/copy1", "operatorvet: example.com/b: /tmp/copy1/b/b.go:3:9: undefined: x\n\noperatorvet: two\n")
	if want := []string{"example.com/b: b/b.go: undefined: x", "two"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
