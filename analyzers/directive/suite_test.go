package directive_test

import (
	"slices"
	"testing"

	"github.com/operatorvet/operatorvet/analyzers"
	"github.com/operatorvet/operatorvet/analyzers/directive"
)

func TestKnowsAllOtherRules(t *testing.T) {
	t.Parallel()
	for _, rule := range analyzers.All() {
		if rule != directive.Analyzer && !slices.Contains(directive.Analyzer.Requires, rule) {
			t.Errorf("%s is not among the rules that a directive may name", rule.Name)
		}
	}
}
