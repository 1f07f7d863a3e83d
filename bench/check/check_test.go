package main

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// ran is an output of go test.
const ran = `goos: linux
goarch: amd64
pkg: github.com/operatorvet/operatorvet/internal/engine/flow
cpu: Some Processor
BenchmarkAnalyzer/many-lines-2  	15	  48476590 ns/op	  3.8 calibrations/op	  1000 B/op	  20 allocs/op
BenchmarkAnalyzer/chains-2      	15	  99476590 ns/op	  3.5 calibrations/op	  1001 B/op	  19 allocs/op
PASS
ok  	github.com/operatorvet/operatorvet/internal/engine/flow	1.076s
pkg: github.com/operatorvet/operatorvet/internal/run/cache
BenchmarkGet	5	  48476590 ns/op	  0.5 calibrations/op	  500000 B/op	  7 allocs/op
PASS
`

func TestOutput(t *testing.T) {
	t.Parallel()
	results, err := parseOutput(ran)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]result{
		"internal/engine/flow.BenchmarkAnalyzer/many-lines": {3.8, 1000, 20},
		"internal/engine/flow.BenchmarkAnalyzer/chains":     {3.5, 1001, 19},
		"internal/run/cache.BenchmarkGet":                   {0.5, 500000, 7},
	}
	if !maps.Equal(results, want) {
		t.Errorf("got %v", results)
	}
}

func TestWhatSeemsSlowerIsMeasuredAgain(t *testing.T) {
	t.Parallel()
	base := map[string]result{"a/b.X": {1, 10, 10}, "a/b.Y": {1, 10, 10}, "c.Z": {1, 10, 10}, "d.Gone": {1, 10, 10}}
	now := map[string]result{"a/b.X": {1.3, 10, 10}, "a/b.Y": {1, 10, 13}, "c.Z": {1.2, 9, 9}, "e.New": {5, 5, 5}}
	again := packagesOf(slower(base, now))
	if !slices.Equal(again, []string{module + "a/b"}) {
		t.Errorf("again: %q", again)
	}
	keepLeast(now, map[string]result{"a/b.X": {1.2, 11, 10}, "a/b.Y": {1.1, 10, 13}})
	want := map[string]result{"a/b.X": {1.2, 10, 10}, "a/b.Y": {1, 10, 13}, "c.Z": {1.2, 9, 9}, "e.New": {5, 5, 5}}
	if !maps.Equal(now, want) {
		t.Errorf("got %v", now)
	}
}

func TestBaselineIsTheMedianOfRuns(t *testing.T) {
	t.Parallel()
	got := medians([]map[string]result{{"p.A": {3, 20, 1}}, {"p.A": {1, 10, 2}}, {"p.A": {2, 90, 1}}})
	if want := map[string]result{"p.A": {2, 20, 1}}; !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestOutputWithoutBenchmarks(t *testing.T) {
	t.Parallel()
	for output, want := range map[string]string{
		"PASS\nok  	p	0.1s\n": "no benchmarks",
		"pkg: p\nBenchmarkPlain-2	5	484 ns/op	10 B/op	2 allocs/op\n": "p.BenchmarkPlain: no calibrations/op",
	} {
		if _, err := parseOutput(output); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", output, err, want)
		}
	}
}

func TestBaselineIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	results, err := parseOutput(ran)
	if err != nil {
		t.Fatal(err)
	}
	text := (&baseline{goVersion: "go1.26.8", platform: "linux/amd64", results: results}).String()
	base, err := parseBaseline(text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if base.goVersion != "go1.26.8" || base.platform != "linux/amd64" {
		t.Errorf("got %s %s", base.goVersion, base.platform)
	}
	if table, wrong := compare(base.results, results); wrong != nil {
		t.Errorf("%s\n%s", strings.Join(wrong, "\n"), table)
	}
}

func TestMalformedBaseline(t *testing.T) {
	t.Parallel()
	const line = "0.5 calibrations/op  500 B/op  7 allocs/op  p.BenchmarkGet\n"
	for text, want := range map[string]string{
		"":                             "no benchmarks",
		"# nothing\n":                  "no benchmarks",
		line:                           "1: want the version of Go",
		"1.26 linux/amd64\n" + line:    "1: want the version of Go",
		"go1.26 linux/amd64\n":         "no benchmarks",
		"go1.26 linux/amd64\np.B\n":    "2: no calibrations/op",
		"go1.26 l/a\n" + line + line:   "3: p.BenchmarkGet is there twice",
		"go1.26 l/a\nx" + line:         `2: "x0.5" is no number of calibrations/op`,
		"go1.26 l/a\n-" + line:         `2: "-0.5" is no number of calibrations/op`,
		"go1.26 l/a\n<<<<<<< ours\n":   "2: no calibrations/op",
		"go1.26 l/a\n" + line[:40]:     "2: no allocs/op",
		"go1.26 l/a\n" + line + "eof ": "3: no calibrations/op",
	} {
		_, err := parseBaseline(text)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

func TestCompare(t *testing.T) {
	t.Parallel()
	base := map[string]result{"p.A": {1, 1000, 100}, "p.B": {2, 2000, 200}, "p.C": {3, 3000, 300}}
	_, wrong := compare(base, map[string]result{
		"p.A": {1.24, 1250, 0},   // within bounds
		"p.B": {2.6, 2501, 1000}, // beyond each
		"p.D": {1, 1, 1},         // new, while C is gone
	})
	want := []string{
		"p.B: 2.6 calibrations/op, 30 % more than the 2 of the baseline",
		"p.B: 2501 B/op, 25 % more than the 2000 of the baseline",
		"p.B: 1000 allocs/op, 400 % more than the 200 of the baseline",
		"p.C is in the baseline, but there is no such benchmark; make bench-baseline removes it",
		"p.D is not in the baseline; make bench-baseline adds it",
	}
	if !slices.Equal(wrong, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(wrong, "\n"), strings.Join(want, "\n"))
	}
}

func TestBaselineOfAnotherGo(t *testing.T) {
	t.Parallel()
	base := &baseline{goVersion: "go1.26.8", platform: "linux/amd64"}
	for _, c := range []struct {
		goVersion, platform string
		fits                bool
	}{
		{"go1.26.9", "linux/amd64", true},
		{"go1.27.0", "linux/amd64", false},
		{"go1.26.8", "darwin/arm64", false},
	} {
		if err := base.fits(c.goVersion, c.platform); (err == nil) != c.fits {
			t.Errorf("%s on %s: %v", c.goVersion, c.platform, err)
		}
	}
}

// What is committed must at least be readable.
func TestCommittedBaseline(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("baseline.txt")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parseBaseline(string(data)); err != nil {
		t.Error(err)
	}
}
