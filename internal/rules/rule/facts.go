package rule

import "golang.org/x/tools/go/analysis"

// FactsOf returns the facts of this type that the analyzer has exported about packages
// which the package of the pass imports, directly or not.
func FactsOf[F analysis.Fact](pass *analysis.Pass) []F {
	var facts []F
	for _, f := range pass.AllPackageFacts() {
		if fact, ok := f.Fact.(F); ok && f.Package != pass.Pkg {
			facts = append(facts, fact)
		}
	}
	return facts
}
