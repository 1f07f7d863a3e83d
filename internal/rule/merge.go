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
	m := &merger{seen: make(map[*analysis.Analyzer]bool), copies: make(map[*analysis.Analyzer]*analysis.Analyzer)}
	m.facts = &analysis.Analyzer{
		Name:       "operatorfacts",
		Doc:        "find out what callers in other packages need to know",
		Run:        m.run,
		ResultType: reflect.TypeFor[results](),
	}
	for _, rule := range rules {
		m.collect(rule)
	}
	all := make([]*analysis.Analyzer, len(rules))
	for i, rule := range rules {
		all[i] = m.copyOf(rule)
	}
	return all
}

// A merger puts one analyzer in place of several.
type merger struct {
	seen   map[*analysis.Analyzer]bool
	parts  []*analysis.Analyzer // each after those that it requires
	facts  *analysis.Analyzer   // the one
	copies map[*analysis.Analyzer]*analysis.Analyzer
}

// results are those of the parts.
type results map[*analysis.Analyzer]any

// collect makes parts of the analyzers with facts that a requires, and of a.
func (m *merger) collect(a *analysis.Analyzer) {
	if m.seen[a] {
		return
	}
	m.seen[a] = true
	for _, req := range a.Requires {
		m.collect(req)
	}
	if len(a.FactTypes) == 0 {
		return
	}
	m.parts = append(m.parts, a)
	m.facts.FactTypes = append(m.facts.FactTypes, a.FactTypes...)
	for _, req := range a.Requires {
		if len(req.FactTypes) == 0 && !slices.Contains(m.facts.Requires, req) {
			m.facts.Requires = append(m.facts.Requires, req)
		}
	}
}

// run runs the parts.
func (m *merger) run(pass *analysis.Pass) (any, error) {
	found := make(results)
	for _, part := range m.parts {
		res, err := runAs(part, pass, func(req *analysis.Analyzer) any {
			if res, ok := found[req]; ok {
				return res
			}
			return pass.ResultOf[req]
		})
		if err != nil {
			return nil, err
		}
		found[part] = res
	}
	return found, nil
}

// copyOf returns an analyzer that does what a does, given the results of the
// parts. It is a itself if that requires none.
func (m *merger) copyOf(a *analysis.Analyzer) *analysis.Analyzer {
	if len(a.FactTypes) > 0 {
		return m.facts
	}
	if c := m.copies[a]; c != nil {
		return c
	}
	c := *a
	c.Requires = nil
	now := make(map[*analysis.Analyzer]*analysis.Analyzer) // what comes in place of what a requires
	for _, req := range a.Requires {
		now[req] = m.copyOf(req)
		if !slices.Contains(c.Requires, now[req]) {
			c.Requires = append(c.Requires, now[req])
		}
	}
	c.Run = func(pass *analysis.Pass) (any, error) {
		return runAs(a, pass, func(req *analysis.Analyzer) any {
			if now[req] == m.facts {
				return pass.ResultOf[m.facts].(results)[req]
			}
			return pass.ResultOf[now[req]]
		})
	}
	m.copies[a] = &c
	if slices.Equal(c.Requires, a.Requires) {
		m.copies[a] = a
	}
	return m.copies[a]
}

// runAs runs an analyzer in the pass of another one.
func runAs(a *analysis.Analyzer, pass *analysis.Pass, resultOf func(*analysis.Analyzer) any) (any, error) {
	as := *pass
	as.Analyzer = a
	as.ResultOf = make(map[*analysis.Analyzer]any)
	for _, req := range a.Requires {
		as.ResultOf[req] = resultOf(req)
	}
	return a.Run(&as)
}
