package rule

import (
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"
)

// Merged returns rules that do what the given ones do, but with one analyzer in
// place of all those with facts that they require. It is for a driver to which
// each of these costs something for every package there is: golangci-lint writes
// two files.
func Merged(rules []*analysis.Analyzer) []*analysis.Analyzer {
	parts := withFacts(rules)
	if len(parts) == 0 {
		return rules
	}
	facts := &analysis.Analyzer{
		Name:       "operatorfacts",
		Doc:        "find out what callers in other packages need to know",
		ResultType: reflect.TypeFor[results](),
	}
	copies := make(map[*analysis.Analyzer]*analysis.Analyzer)
	for _, part := range parts {
		copies[part] = facts
	}
	for _, part := range parts {
		facts.FactTypes = append(facts.FactTypes, part.FactTypes...)
		for _, req := range copiesOf(part.Requires, copies) {
			if req != facts && !slices.Contains(facts.Requires, req) {
				facts.Requires = append(facts.Requires, req)
			}
		}
	}
	facts.Run = func(pass *analysis.Pass) (any, error) {
		found := make(results)
		for _, part := range parts {
			res, err := runAs(part, pass, func(req *analysis.Analyzer) any {
				if res, ok := found[req]; ok {
					return res
				}
				return pass.ResultOf[copies[req]]
			})
			if err != nil {
				return nil, err
			}
			found[part] = res
		}
		return found, nil
	}
	return copiesOf(rules, copies)
}

// results are those of the analyzers that [Merged] has made one of.
type results map[*analysis.Analyzer]any

// withFacts returns the analyzers with facts among those that rules require,
// directly or not, each after those that it requires itself.
func withFacts(rules []*analysis.Analyzer) []*analysis.Analyzer {
	var found []*analysis.Analyzer
	seen := make(map[*analysis.Analyzer]bool)
	var visit func(all []*analysis.Analyzer)
	visit = func(all []*analysis.Analyzer) {
		for _, a := range all {
			if seen[a] {
				continue
			}
			seen[a] = true
			visit(a.Requires)
			if len(a.FactTypes) > 0 {
				found = append(found, a)
			}
		}
	}
	visit(rules)
	return found
}
