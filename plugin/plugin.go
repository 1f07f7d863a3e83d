// Package plugin makes operatorvet a linter of golangci-lint. Whoever builds a
// golangci-lint with module plugins imports it for its effect:
//
//	import _ "github.com/operatorvet/operatorvet/plugin"
//
// The linter's name is operatorvet. Its settings, which have the form of the file
// .operatorvet.yaml and override it, switch rules off and choose their options:
//
//	linters:
//	  enable: [operatorvet]
//	  settings:
//	    custom:
//	      operatorvet:
//	        type: module
//	        settings:
//	          rules: {missingwatch: false}
//	          ctxloop: {max-wait: 10s}
package plugin

import (
	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/internal/rules/rule"
)

// name is the name of the linter.
const name = "operatorvet"

// golangci-lint finds plugins that register themselves at start-up.
func init() { register.Plugin(name, newLinter) }

// linter runs the rules that its settings do not switch off.
type linter struct {
	rules []*analysis.Analyzer
}

func newLinter(raw any) (register.LinterPlugin, error) {
	rules, err := decode(raw)
	if err != nil {
		return nil, err
	}
	return linter{rule.Merged(rules)}, nil
}

// BuildAnalyzers returns an analyzer for each rule: golangci-lint begins each
// message with the name of its analyzer.
func (l linter) BuildAnalyzers() ([]*analysis.Analyzer, error) { return l.rules, nil }

// GetLoadMode asks for types.
func (linter) GetLoadMode() string { return register.LoadModeTypesInfo }
