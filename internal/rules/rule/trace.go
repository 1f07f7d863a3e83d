package rule

import (
	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/internal/rules/config"
)

// Traced is [With] for a driver that shows why there is a finding, or none: the
// copies keep what they need to say so.
func Traced(overrides *config.Overrides, rules []*analysis.Analyzer) []*analysis.Analyzer {
	copies := map[*analysis.Analyzer]*analysis.Analyzer{Options: options(overrides, true)}
	return copiesOf(rules, copies)
}

// IsTraced reports whether the driver wants to know why. The analyzer of the pass
// requires [Options].
func IsTraced(pass *analysis.Pass) bool {
	return pass.ResultOf[Options].(*optionsResult).traced
}
