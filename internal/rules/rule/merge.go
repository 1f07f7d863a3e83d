package rule

import (
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/rules/facts"
)

// Merged returns rules that do the same as the given ones but require only one
// analyzer with facts. It exports one fact about a package instead of several
// about the package and its functions. It is for golangci-lint, which writes two
// files for each package and analyzer with facts, and copies each fact to all
// packages that import its package, directly or not; and for gopls, which reads the
// facts of all imports again for each of them when a package is edited.
func Merged(rules []*analysis.Analyzer) []*analysis.Analyzer {
	parts := withFacts(rules)
	if len(parts) == 0 {
		return rules
	}
	merged := &analysis.Analyzer{
		Name:       "operatorfacts",
		Doc:        "find out what callers in other packages need to know",
		ResultType: reflect.TypeFor[results](),
		FactTypes:  []analysis.Fact{new(mergedFacts)},
	}
	copies := make(map[*analysis.Analyzer]*analysis.Analyzer)
	for _, part := range parts {
		copies[part] = merged
	}
	for _, part := range parts {
		for _, req := range copiesOf(part.Requires, copies) {
			if req != merged && !slices.Contains(merged.Requires, req) {
				merged.Requires = append(merged.Requires, req)
			}
		}
	}
	merged.Run = func(pass *analysis.Pass) (any, error) {
		found := make(results)
		m := &merging{pass: pass, own: make(map[factKey]analysis.Fact), known: make(map[*types.Package]*facts.About)}
		for _, part := range parts {
			res, err := runAs(part, m.passOf(part), func(req *analysis.Analyzer) any {
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
		return found, m.export()
	}
	return copiesOf(rules, copies)
}

// results has the results of the analyzers that [Merged] has merged.
type results map[*analysis.Analyzer]any

// withFacts returns the analyzers with facts that the rules require, directly or
// not, and the analyzers between two of these. Each comes after the analyzers
// that it requires.
func withFacts(rules []*analysis.Analyzer) []*analysis.Analyzer {
	var order []*analysis.Analyzer // each after those that it requires
	below := make(map[*analysis.Analyzer]bool)
	seen := make(map[*analysis.Analyzer]bool)
	var visit func(a *analysis.Analyzer)
	visit = func(a *analysis.Analyzer) {
		if seen[a] {
			return
		}
		seen[a] = true
		below[a] = len(a.FactTypes) > 0
		for _, req := range a.Requires {
			visit(req)
			below[a] = below[a] || below[req]
		}
		order = append(order, a)
	}
	for _, a := range rules {
		visit(a)
	}
	above := make(map[*analysis.Analyzer]bool)
	for _, a := range slices.Backward(order) {
		above[a] = above[a] || len(a.FactTypes) > 0
		for _, req := range a.Requires {
			above[req] = above[req] || above[a]
		}
	}
	return slices.DeleteFunc(order, func(a *analysis.Analyzer) bool { return !above[a] || !below[a] })
}

// mergedFacts are the facts about a package and its functions, whose names are
// those of [library.Name].
type mergedFacts struct{ Facts facts.Encoded }

func (*mergedFacts) AFact() {}

func (m *mergedFacts) String() string {
	all := make([]string, len(m.Facts))
	for i, of := range m.Facts {
		all[i] = fmt.Sprintf("%d %s", len(of.Of), of.Type)
	}
	return strings.Join(all, ", ")
}

// merging collects the facts of several analyzers in the pass of one. Results of
// analyzers may keep a pass and read facts while several rules use them
// concurrently.
type merging struct {
	pass  *analysis.Pass
	mu    sync.Mutex // guards the rest
	own   map[factKey]analysis.Fact
	known map[*types.Package]*facts.About
}

type factKey struct {
	of  string // name of a function, or "" for the package
	typ reflect.Type
}

// passOf returns the pass in which an analyzer exports and imports its facts.
func (m *merging) passOf(part *analysis.Analyzer) *analysis.Pass {
	as := *m.pass
	as.ExportObjectFact = func(obj types.Object, fact analysis.Fact) { m.add(library.Name(obj.(*types.Func)), fact) }
	as.ExportPackageFact = func(fact analysis.Fact) { m.add("", fact) }
	as.ImportObjectFact = func(obj types.Object, fact analysis.Fact) bool {
		name := library.Name(obj.(*types.Func))
		return name != "" && m.read(obj.Pkg(), name, fact)
	}
	as.ImportPackageFact = func(pkg *types.Package, fact analysis.Fact) bool { return m.read(pkg, "", fact) }
	as.AllPackageFacts = func() []analysis.PackageFact {
		var all []analysis.PackageFact
		for _, of := range m.pass.AllPackageFacts() {
			for _, typ := range part.FactTypes {
				if fact := m.about(of.Package, of.Fact.(*mergedFacts)).Get("", reflect.TypeOf(typ)); fact != nil {
					all = append(all, analysis.PackageFact{Package: of.Package, Fact: fact})
				}
			}
		}
		return all
	}
	as.AllObjectFacts = nil // nobody asks for them
	return &as
}

func (m *merging) add(of string, fact analysis.Fact) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.own[factKey{of, reflect.TypeOf(fact)}] = fact
}

// read sets fact to the one of its type, and reports whether there is one.
func (m *merging) read(pkg *types.Package, of string, fact analysis.Fact) bool {
	typ := reflect.TypeOf(fact)
	if pkg == m.pass.Pkg {
		m.mu.Lock()
		defer m.mu.Unlock()
		return facts.Set(fact, m.own[factKey{of, typ}])
	}
	return facts.Set(fact, m.about(pkg, nil).Get(of, typ))
}

// about returns the facts about another package. They are imported unless they are
// at hand.
func (m *merging) about(pkg *types.Package, imported *mergedFacts) *facts.About {
	m.mu.Lock()
	defer m.mu.Unlock()
	about, ok := m.known[pkg]
	if !ok {
		if imported == nil {
			imported = new(mergedFacts)
			m.pass.ImportPackageFact(pkg, imported)
		}
		about = facts.Decode(imported.Facts)
		m.known[pkg] = about
	}
	return about
}

func (m *merging) export() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	var own []facts.Fact
	for key, fact := range m.own {
		own = append(own, facts.Fact{Of: key.of, Fact: fact})
	}
	encoded, err := facts.Encode(own)
	if len(encoded) > 0 {
		m.pass.ExportPackageFact(&mergedFacts{encoded})
	}
	return err
}
