package directive

import (
	"go/ast"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/operatorvet/operatorvet/internal/rules/rule"
)

// Two rules that find identifiers of their name.
func wordRule(name string) *analysis.Analyzer {
	docGo := "// # Analyzer " + name + "\n//\n// " + name + ": find the word\npackage " + name
	return rule.New(name, docGo, func(pass *rule.Pass) error {
		for _, file := range pass.Files {
			for n := range ast.Preorder(file) {
				if id, ok := n.(*ast.Ident); ok && id.Name == name {
					pass.Reportf(id, "the word")
				}
			}
		}
		return nil
	})
}

func TestDirective(t *testing.T) {
	t.Parallel()
	analysistest.Run(t, analysistest.TestData(), analyzer(wordRule("bad"), wordRule("ugly")), "a")
}
