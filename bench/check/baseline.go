package main

import (
	"errors"
	"fmt"
	"go/version"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/operatorvet/operatorvet/internal/testing/benchmark"
)

// slack is the maximum ratio of a benchmark's result to the baseline.
const slack = 1.25

// units has the units that are compared.
var units = [...]string{benchmark.Unit, "B/op", "allocs/op"}

// A result is the result of a benchmark, by unit.
type result [len(units)]float64

// A baseline has the results of benchmarks on some day.
type baseline struct {
	goVersion, platform string
	results             map[string]result // by package path and name
}

const header = "# What the parts of operatorvet take. \"make bench-baseline\" writes this file.\n"

func (base *baseline) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s %s\n", header, base.goVersion, base.platform)
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, name := range slices.Sorted(maps.Keys(base.results)) {
		for i, n := range base.results[name] {
			fmt.Fprintf(w, "%s %s\t", number(n), units[i])
		}
		fmt.Fprintf(w, "  %s\n", name)
	}
	w.Flush()
	return b.String()
}

// parseBaseline parses the output of String. Errors begin with the line.
func parseBaseline(text string) (*baseline, error) {
	base := &baseline{results: make(map[string]result)}
	for i, line := range strings.Split(text, "\n") {
		fields := strings.Fields(line)
		fail := func(problem string) (*baseline, error) { return nil, fmt.Errorf("%d: %s", i+1, problem) }
		switch {
		case len(fields) == 0 || strings.HasPrefix(line, "#"):
		case base.goVersion == "":
			if len(fields) != 2 || !version.IsValid(fields[0]) {
				return fail("want the version of Go and the platform")
			}
			base.goVersion, base.platform = fields[0], fields[1]
		default:
			name := fields[len(fields)-1]
			r, err := parseResult(fields[:len(fields)-1])
			if err != nil {
				return fail(err.Error())
			}
			if _, ok := base.results[name]; ok {
				return fail(name + " is there twice")
			}
			base.results[name] = r
		}
	}
	if len(base.results) == 0 {
		return nil, errors.New(" no benchmarks in it")
	}
	return base, nil
}

// parseResult parses numbers that are each followed by a unit. It leaves out
// other units than those in units.
func parseResult(fields []string) (result, error) {
	var r result
	for i, unit := range units {
		at := slices.Index(fields, unit)
		if at < 1 {
			return r, errors.New("no " + unit)
		}
		n, err := strconv.ParseFloat(fields[at-1], 64)
		if err != nil || n < 0 {
			return r, fmt.Errorf("%q is no number of %s", fields[at-1], unit)
		}
		r[i] = n
	}
	return r, nil
}

// fits returns an error if results with this Go on this platform cannot be
// compared with the baseline, because each release compiles differently.
func (base *baseline) fits(goVersion, platform string) error {
	if version.Lang(goVersion) != version.Lang(base.goVersion) || platform != base.platform {
		return fmt.Errorf("it was measured with %s on %s, which cannot be compared with %s on %s", base.goVersion, base.platform, goVersion, platform)
	}
	return nil
}

// processors matches the suffix of a benchmark's name.
var processors = regexp.MustCompile(`-\d+$`)

// module is the path below which all packages are.
const module = "github.com/operatorvet/operatorvet/"

// parseOutput parses the output of go test.
func parseOutput(text string) (map[string]result, error) {
	results := make(map[string]result)
	pkg := ""
	for line := range strings.Lines(text) {
		if path, ok := strings.CutPrefix(line, "pkg: "); ok {
			pkg = strings.TrimPrefix(strings.TrimSpace(path), module)
			continue
		}
		fields := strings.Fields(line)
		if !strings.HasPrefix(line, "Benchmark") || len(fields) < 2 {
			continue
		}
		name := pkg + "." + processors.ReplaceAllString(fields[0], "")
		r, err := parseResult(fields[2:])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		results[name] = r
	}
	if len(results) == 0 {
		return nil, errors.New("go test ran no benchmarks")
	}
	return results, nil
}

// slower returns the names of the benchmarks that exceed their bound.
func slower(base, now map[string]result) []string {
	var names []string
	for name, was := range base {
		for i, n := range now[name] {
			if n > slack*was[i] {
				names = append(names, name)
				break
			}
		}
	}
	return names
}

// packagesOf returns the paths of the packages of these benchmarks.
func packagesOf(names []string) []string {
	var paths []string
	for _, name := range names {
		path, _, _ := strings.Cut(name, ".")
		paths = append(paths, module+path)
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// keepLeast takes for each result the smaller one of two measurements.
func keepLeast(now, again map[string]result) {
	for name, r := range again {
		if first, ok := now[name]; ok {
			for i := range r {
				r[i] = min(r[i], first[i])
			}
			now[name] = r
		}
	}
}

// medians returns the median of several measurements.
func medians(runs []map[string]result) map[string]result {
	all := make(map[string]result)
	for name := range runs[0] {
		var r result
		for i := range r {
			var ns []float64
			for _, run := range runs {
				ns = append(ns, run[name][i])
			}
			slices.Sort(ns)
			r[i] = ns[len(ns)/2]
		}
		all[name] = r
	}
	return all
}

// compare returns a table, and a line for each problem.
func compare(base, now map[string]result) (table string, wrong []string) {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "%s\tbaseline\tchange\t%s\tbaseline\tchange\t%s\tbaseline\tchange\t  benchmark\n", units[0], units[1], units[2])
	all := maps.Clone(base)
	maps.Copy(all, now)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		was, inBase := base[name]
		is, ran := now[name]
		switch {
		case !inBase:
			wrong = append(wrong, name+" is not in the baseline; make bench-baseline adds it")
			continue
		case !ran:
			wrong = append(wrong, name+" is in the baseline, but there is no such benchmark; make bench-baseline removes it")
			continue
		}
		for i, unit := range units {
			change := 100 * (is[i]/was[i] - 1)
			fmt.Fprintf(w, "%s\t%s\t%+.0f %%\t", number(is[i]), number(was[i]), change)
			if is[i] > slack*was[i] {
				wrong = append(wrong, fmt.Sprintf("%s: %s %s, %.0f %% more than the %s of the baseline", name, number(is[i]), unit, change, number(was[i])))
			}
		}
		fmt.Fprintf(w, "  %s\n", name)
	}
	w.Flush()
	return b.String(), wrong
}

// number formats a number with four digits, or with all digits before the point.
func number(n float64) string {
	if n >= 1000 {
		return strconv.FormatFloat(n, 'f', 0, 64)
	}
	return strconv.FormatFloat(n, 'g', 4, 64)
}
