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
