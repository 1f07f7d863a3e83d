// Package analyzers lists the rules of operatorvet.
package analyzers

import (
	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/analyzers/blindpredicate"
	"github.com/operatorvet/operatorvet/analyzers/ctxloop"
	"github.com/operatorvet/operatorvet/analyzers/deadcleanup"
	"github.com/operatorvet/operatorvet/analyzers/directive"
	"github.com/operatorvet/operatorvet/analyzers/missingwatch"
	"github.com/operatorvet/operatorvet/analyzers/unstablewrite"
	"github.com/operatorvet/operatorvet/internal/config"
	"github.com/operatorvet/operatorvet/internal/rule"
)

// All returns the rules, sorted by name.
func All() []*analysis.Analyzer {
	return []*analysis.Analyzer{
		blindpredicate.Analyzer,
		ctxloop.Analyzer,
		deadcleanup.Analyzer,
		directive.Analyzer,
		missingwatch.Analyzer,
		unstablewrite.Analyzer,
	}
}

// Keyed returns the rules for a driver that stores results under the names of
// analyzers, such as gopls, and one analyzer more: its name, and those of the
// analyzers that the rules require, change with the files with options that hold
// in the module or workspace around the directory. The error says what is wrong
// with the one that holds for the directory; there are rules nevertheless.
func Keyed(dir string) ([]*analysis.Analyzer, error) {
	key, err := config.Fingerprint(dir)
	return rule.Keyed(new(config.Overrides), key, All()), err
}
