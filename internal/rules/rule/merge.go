package rule

import (
	"cmp"
	"encoding/gob"
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/internal/library"
)

// Merged returns rules that do the same as the given ones but require only one
// analyzer with facts. It exports one fact about a package instead of several
// about the package and its functions. It is for golangci-lint, which writes two
// files for each package and analyzer with facts, and copies each fact to all
// packages that import its package, directly or not.
func Merged(rules []*analysis.Analyzer) []*analysis.Analyzer {
	parts := withFacts(rules)
	if len(parts) == 0 {
		return rules
	}
	facts := &analysis.Analyzer{
		Name:       "operatorfacts",
		Doc:        "find out what callers in other packages need to know",
		ResultType: reflect.TypeFor[results](),
		FactTypes:  []analysis.Fact{new(mergedFacts)},
	}
	copies := make(map[*analysis.Analyzer]*analysis.Analyzer)
	for _, part := range parts {
		copies[part] = facts
	}
	for _, part := range parts {
		for _, typ := range part.FactTypes {
			gob.Register(typ)
		}
		for _, req := range copiesOf(part.Requires, copies) {
			if req != facts && !slices.Contains(facts.Requires, req) {
				facts.Requires = append(facts.Requires, req)
			}
		}
	}
	facts.Run = func(pass *analysis.Pass) (any, error) {
		found := make(results)
		pass, export := merging(pass)
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
		export()
		return found, nil
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

// mergedFacts are the facts about a package and its functions.
type mergedFacts struct {
	Facts []mergedFact // by Of
}

// A mergedFact is about the function whose [library.Name] is Of, or about the
// package if Of is empty.
type mergedFact struct {
	Of   string
	Fact analysis.Fact
}

func (*mergedFacts) AFact() {}

func (m *mergedFacts) String() string {
	all := make([]string, len(m.Facts))
	for i, f := range m.Facts {
		all[i] = fmt.Sprintf("%s: %v", f.Of, f.Fact)
	}
	return strings.Join(all, "; ")
}

// find returns the index of the first fact about of, or the index where it would
// be inserted.
func (m *mergedFacts) find(of string) int {
	i, _ := slices.BinarySearchFunc(m.Facts, of, func(f mergedFact, of string) int { return cmp.Compare(f.Of, of) })
	return i
}

// about returns the facts about a function or the package.
func (m *mergedFacts) about(of string) []mergedFact {
	facts := m.Facts[m.find(of):]
	end := slices.IndexFunc(facts, func(f mergedFact) bool { return f.Of != of })
	if end >= 0 {
		facts = facts[:end]
	}
	return facts
}

func (m *mergedFacts) add(of string, fact analysis.Fact) {
	m.Facts = slices.Insert(m.Facts, m.find(of), mergedFact{of, fact})
}

// read sets fact to the one of its type, and reports whether there is one.
func (m *mergedFacts) read(of string, fact analysis.Fact) bool {
	for _, f := range m.about(of) {
		if reflect.TypeOf(f.Fact) == reflect.TypeOf(fact) {
			reflect.ValueOf(fact).Elem().Set(reflect.ValueOf(f.Fact).Elem())
			return true
		}
	}
	return false
}

// merging returns a pass that collects all facts in one fact, and a function
// that exports it. Results of analyzers may keep the pass and read facts while
// several rules use them concurrently.
func merging(pass *analysis.Pass) (merged *analysis.Pass, export func()) {
	var mu sync.Mutex // guards own and known
	own := new(mergedFacts)
	known := map[*types.Package]*mergedFacts{pass.Pkg: own}
	add := func(of string, fact analysis.Fact) {
		mu.Lock()
		defer mu.Unlock()
		own.add(of, fact)
	}
	read := func(pkg *types.Package, of string, fact analysis.Fact) bool {
		mu.Lock()
		defer mu.Unlock()
		facts, ok := known[pkg]
		if !ok {
			facts = new(mergedFacts)
			pass.ImportPackageFact(pkg, facts)
			known[pkg] = facts
		}
		return facts.read(of, fact)
	}
	merged = new(analysis.Pass)
	*merged = *pass
	merged.ExportObjectFact = func(obj types.Object, fact analysis.Fact) { add(library.Name(obj.(*types.Func)), fact) }
	merged.ExportPackageFact = func(fact analysis.Fact) { add("", fact) }
	merged.ImportObjectFact = func(obj types.Object, fact analysis.Fact) bool {
		name := library.Name(obj.(*types.Func))
		return name != "" && read(obj.Pkg(), name, fact)
	}
	merged.ImportPackageFact = func(pkg *types.Package, fact analysis.Fact) bool { return read(pkg, "", fact) }
	merged.AllPackageFacts = func() []analysis.PackageFact {
		var all []analysis.PackageFact
		for _, of := range pass.AllPackageFacts() {
			for _, f := range of.Fact.(*mergedFacts).about("") {
				all = append(all, analysis.PackageFact{Package: of.Package, Fact: f.Fact})
			}
		}
		return all
	}
	merged.AllObjectFacts = nil // nobody asks for them
	return merged, func() {
		if len(own.Facts) > 0 {
			pass.ExportPackageFact(own)
		}
	}
}
