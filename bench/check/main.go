// Check runs the benchmarks of operatorvet's parts and compares them with those
// that were committed.
//
//	go run ./bench/check
//	go run ./bench/check -write
//
// Benchmarks are those in files bench_test.go of this module. See
// docs/performance.md.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"go/version"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"github.com/operatorvet/operatorvet/internal/run/replace"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintf(os.Stderr, "bench/check: %v\n", err)
		os.Exit(1)
	}
}

func run() error {
	file := flag.String("baseline", "bench/check/baseline.txt", "compare with this `file`")
	write := flag.Bool("write", false, "write the baseline instead")
	flag.Parse()
	if flag.NArg() != 0 {
		return errors.New("want no arguments")
	}
	if !version.IsValid(runtime.Version()) {
		return fmt.Errorf("want a released Go, not %s", runtime.Version())
	}
	platform := runtime.GOOS + "/" + runtime.GOARCH
	var base *baseline
	if !*write {
		data, err := os.ReadFile(*file)
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("there is no %s yet; -write makes it", *file)
		}
		if err != nil {
			return err
		}
		if base, err = parseBaseline(string(data)); err != nil {
			return fmt.Errorf("%s:%w", *file, err)
		}
		if err := base.fits(runtime.Version(), platform); err != nil {
			return fmt.Errorf("%s: %w", *file, err)
		}
	}
	packages, err := benchmarked()
	if err != nil {
		return err
	}
	if *write {
		var runs []map[string]result
		for range 3 {
			now, err := measure(packages)
			if err != nil {
				return err
			}
			runs = append(runs, now)
		}
		base = &baseline{goVersion: runtime.Version(), platform: platform, results: medians(runs)}
		return replace.File(*file, []byte(base.String()), 0o644)
	}
	now, err := measure(packages)
	if err != nil {
		return err
	}
	for range retries {
		again := packagesOf(slower(base.results, now))
		if len(again) == 0 {
			break
		}
		retried, err := measure(again)
		if err != nil {
			return err
		}
		keepLeast(now, retried)
	}
	table, wrong := compare(base.results, now)
	fmt.Print(table)
	if len(wrong) > 0 {
		return errors.New(strings.Join(wrong, "\nbench/check: "))
	}
	return nil
}

// retries is how often a benchmark that seems slower is measured again. Another
// program that runs meanwhile may take the caches and the memory bus, but
// nothing makes a part faster than it is.
const retries = 2

// benchmarked returns the paths of the packages with benchmarks.
func benchmarked() ([]string, error) {
	list, err := output("go", "list", "-f", `{{range .XTestGoFiles}}{{if eq . "bench_test.go"}}{{$.ImportPath}}{{end}}{{end}}`, "./...")
	return strings.Fields(list), err
}

// measure runs the benchmarks of one package after the other, after all of them
// are compiled.
func measure(packages []string) (map[string]result, error) {
	args := []string{"test", "-run", "^$", "-bench", ".", "-benchmem", "-benchtime", "15x"}
	text, err := output("go", append(args, packages...)...)
	if err != nil {
		return nil, err
	}
	return parseOutput(text)
}

func output(name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	var stdout bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		os.Stderr.Write(stdout.Bytes())
		return "", fmt.Errorf("%s %s: %w", name, args[0], err)
	}
	return stdout.String(), nil
}
