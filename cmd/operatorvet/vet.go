package main

import (
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/operatorvet/operatorvet/internal/rules/config"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
)

// calledByGoVet reports whether the arguments are those with which the go
// command asks a vet tool for its version and flags, or makes it analyse a
// package.
func calledByGoVet(args []string) bool {
	if len(args) == 0 {
		return false
	}
	return strings.HasSuffix(args[len(args)-1], ".cfg") ||
		slices.ContainsFunc(args, func(arg string) bool { return arg == "-V=full" || arg == "-flags" })
}

// vetTool answers the go command, and exits.
func vetTool(args []string, suite []*analysis.Analyzer) {
	overrides, err := vetOverrides(args, suite)
	if err != nil {
		fail(exitUsage, err)
	}
	if args[0] == "-V=full" {
		answer, err := toolID()
		if err != nil {
			fail(exitFailure, err)
		}
		fmt.Println(answer)
		os.Exit(exitClean)
	}
	if cfg := readConfig(args[len(args)-1]); cfg != nil {
		if err := checkOptions(cfg); err != nil {
			fail(exitFailure, err)
		}
		if done, err := writeNoFacts(cfg); err != nil {
			fail(exitFailure, err)
		} else if done {
			os.Exit(exitClean)
		}
	}
	if wantsEach(args) {
		unitchecker.Main(rule.With(overrides, rule.Mode{Named: true}, suite)...)
	}
	unitchecker.Main(rule.With(overrides, rule.Mode{Named: true, Once: true}, suite)...)
}

// eachFlag asks for the findings at each place of a cause. The flag -json cannot mean
// that: the go command sets it for people as well as for programs.
const eachFlag = "each"

// wantsEach reports whether the tool should report the findings at each place of a
// cause, to whoever asks for them or to change files.
func wantsEach(args []string) bool {
	return slices.ContainsFunc(args, func(arg string) bool {
		name, val, given := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		on, _ := strconv.ParseBool(val)
		return strings.HasPrefix(arg, "-") && slices.Contains([]string{eachFlag, "fix", "diff"}, name) && (on || !given)
	})
}

func fail(code int, err error) {
	fmt.Fprintf(os.Stderr, "operatorvet: %v\n", err)
	os.Exit(code)
}

// vetOverrides reads the flags that are options. It registers them for package
// unitchecker, which uses the global flags of package flag. If a flag names a
// rule, the options file no longer decides about that rule.
func vetOverrides(args []string, suite []*analysis.Analyzer) (*config.Overrides, error) {
	overrides := new(config.Overrides)
	overrides.Flags(flag.CommandLine)
	flag.Bool(eachFlag, false, "report each place of a cause, instead of each cause once in a package")
	for _, arg := range args {
		name, val, given := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		if !strings.HasPrefix(arg, "-") {
			continue
		}
		if byName(suite, name) != nil {
			if on, err := strconv.ParseBool(val); err == nil || !given {
				overrides.Switch(name, on || !given)
			}
		} else if strings.Contains(name, ".") && flag.Lookup(name) != nil {
			// The go command puts a value behind an equals sign.
			if err := flag.Set(name, val); err != nil {
				return nil, fmt.Errorf("invalid value %q for -%s: %w", val, name, err)
			}
		}
	}
	return overrides, nil
}

// toolID returns the answer to -V=full. The go command prints stored results of
// an earlier run if packages, flags and this answer have not changed. So the
// answer includes the content of the options files.
func toolID() (string, error) {
	h := sha256.New()
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(self)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	files, err := config.Fingerprint(".")
	if err != nil {
		return "", err
	}
	io.WriteString(h, files)
	// The form that the go command takes apart; it only uses the build ID.
	return fmt.Sprintf("operatorvet version devel comments-go-here buildID=%x", h.Sum(nil)), nil
}

// readConfig reads what the go command asks for. It returns nil if that cannot be read,
// which is unitchecker's to report, or if the command asks for something else.
func readConfig(name string) *unitchecker.Config {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	cfg := new(unitchecker.Config)
	if json.Unmarshal(data, cfg) != nil {
		return nil
	}
	return cfg
}

// checkOptions reports an error in the options file of the package that
// unitchecker is to analyse. Unitchecker would report it once for each rule.
func checkOptions(cfg *unitchecker.Config) error {
	if cfg.ModulePath == "" || cfg.ModuleVersion != "" {
		return nil
	}
	_, err := new(config.Overrides).For(cfg.Dir)
	return err
}

// writeNoFacts answers for a dependency without facts, as most are: the engines do not
// analyse its code, and what it imports has no facts either. It reports whether the package
// is one. Unitchecker would type-check it to find that out.
func writeNoFacts(cfg *unitchecker.Config) (done bool, err error) {
	mod := &analysis.Module{Path: cfg.ModulePath, Version: cfg.ModuleVersion}
	if !cfg.VetxOnly || ssair.RelevantBy(cfg.ImportPath, slices.Collect(maps.Values(cfg.ImportMap)), mod) {
		return false, nil
	}
	for _, name := range cfg.PackageVetx {
		if info, err := os.Stat(name); err != nil || info.Size() > 0 {
			return false, nil // its facts are handed on
		}
	}
	if cfg.VetxOutput != "" {
		err = os.WriteFile(cfg.VetxOutput, nil, 0o666)
	}
	return true, err
}
