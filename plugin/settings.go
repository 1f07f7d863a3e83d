package plugin

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/analyzers"
	"github.com/operatorvet/operatorvet/internal/rules/config"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
)

// place is the path of the settings in .golangci.yml.
const place = "linters.settings.custom." + name + ".settings"

// decode decodes golangci-lint's settings. It returns the rules that they do not
// switch off, with the options in them.
//
// golangci-lint stores results of earlier runs under the names of the analyzers,
// its own configuration and its own version. So the names of the analyzers
// change with the options files and with the version of operatorvet, for which
// .custom-gcl.yml may only say "latest". Otherwise golangci-lint would show
// results for other options or versions.
func decode(raw any) ([]*analysis.Analyzer, error) {
	if _, ok := raw.(map[string]any); raw != nil && !ok {
		return nil, fmt.Errorf("%s: want keys with values, not %v", place, raw)
	}
	overrides, err := config.FromSettings(raw)
	if err != nil {
		return nil, fmt.Errorf("%s.%w", place, err)
	}
	off := overrides.Off()
	rules := slices.DeleteFunc(analyzers.All(), func(a *analysis.Analyzer) bool { return off[a.Name] })
	if len(rules) == 0 {
		return nil, errors.New(place + ".rules: all are off; disable the linter instead")
	}
	files, err := config.Fingerprint(".")
	if err != nil {
		return nil, err
	}
	key := fmt.Sprintf("%.8x", sha256.Sum256([]byte(files+version())))
	return rule.Keyed(overrides, key, rules), nil
}

// version returns the version of operatorvet's module in this executable.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dep := range info.Deps {
			if dep.Path == "github.com/operatorvet/operatorvet" {
				return dep.Version + dep.Sum
			}
		}
	}
	return ""
}
