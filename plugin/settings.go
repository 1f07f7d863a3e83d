package plugin

import (
	"errors"
	"fmt"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/analyzers"
	"github.com/operatorvet/operatorvet/internal/config"
	"github.com/operatorvet/operatorvet/internal/rule"
)

// place is where in .golangci.yml the settings stand.
const place = "linters.settings.custom." + name + ".settings"

// decode reads the settings as golangci-lint hands them over, and returns the
// rules that they leave on, with the options that they choose.
//
// What golangci-lint stores of earlier runs it finds again by the names of the
// analyzers and its own configuration. Names that change with the files with
// options keep it from showing what held under others.
func decode(raw any) ([]*analysis.Analyzer, error) {
	overrides, err := config.FromSettings(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", place, err)
	}
	off := overrides.Off()
	rules := slices.DeleteFunc(analyzers.All(), func(a *analysis.Analyzer) bool { return off[a.Name] })
	if len(rules) == 0 {
		return nil, errors.New(place + ": rules: all are off; disable the linter instead")
	}
	key, err := config.Fingerprint(".")
	if err != nil {
		return nil, err
	}
	return rule.Keyed(overrides, key, rules), nil
}
