// Package suite is what a gopls with operatorvet inside knows of operatorvet.
// See the command plugin/gopls, which builds one.
package suite

import (
	"fmt"
	"path/filepath"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/analyzers"
	"github.com/operatorvet/operatorvet/internal/rules/config"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
)

// Analyzers returns the rules and one analyzer more, "operatorvet", that reports
// a faulty file with options: rules fail with one, and gopls keeps failures of
// analyzers to itself.
func Analyzers() []*analysis.Analyzer {
	return append(analyzers.All(), rule.Guard(&analysis.Analyzer{
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
// dir. gopls keeps results on disk, under keys to which this belongs.
func OptionsKey(dir string) string {
	opts, err := new(config.Overrides).For(dir)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%+v", *opts)
}
