// Package suite is the part of operatorvet that a gopls with operatorvet inside
// imports. The command plugin/gopls builds such a gopls.
package suite

import (
	"fmt"
	"path/filepath"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/analyzers"
	"github.com/operatorvet/operatorvet/internal/rules/config"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
)

// Analyzers returns the rules and one more analyzer, "operatorvet", that reports
// an error in an options file. Rules fail because of it, but gopls does not show
// failures of analyzers.
func Analyzers() []*analysis.Analyzer {
	rules := rule.Merged(rule.With(new(config.Overrides), rule.Mode{Named: true, Related: true}, analyzers.All()))
	return append(rules, rule.Guard(&analysis.Analyzer{
		Name: "operatorvet",
		Doc:  "report mistakes in " + config.FileName,
		Run:  reportOptions,
	}))
}

func reportOptions(pass *analysis.Pass) (any, error) {
	if len(pass.Files) == 0 {
		return nil, nil
	}
	dir := filepath.Dir(pass.Fset.Position(pass.Files[0].Package).Filename)
	if _, err := new(config.Overrides).For(dir); err != nil {
		for _, file := range pass.Files { // whichever is open in the editor
			pass.ReportRangef(file.Name, "operatorvet does not run here: %v", err)
		}
	}
	return nil, nil
}

// OptionsKey returns a text that changes with the options for the packages in
// dir. It becomes part of the keys under which gopls keeps results on disk.
func OptionsKey(dir string) string {
	opts, err := new(config.Overrides).For(dir)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%+v", *opts)
}
