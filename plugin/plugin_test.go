package plugin_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/analyzers"
	"github.com/operatorvet/operatorvet/internal/rules/config"
	_ "github.com/operatorvet/operatorvet/plugin"
)

// linter makes the linter in the way golangci-lint does.
func linter(t *testing.T, settings any) (register.LinterPlugin, error) {
	t.Helper()
	newLinter, err := register.GetPlugin("operatorvet")
	if err != nil {
		t.Fatal(err)
	}
	return newLinter(settings)
}

func TestSettingsSwitchRulesOff(t *testing.T) {
	t.Parallel()
	all := func(string) bool { return true }
	for _, test := range []struct {
		settings any
		runs     func(rule string) bool
	}{
		{nil, all},
		{map[string]any{}, all},
		{map[string]any{"rules": nil}, all},
		{map[string]any{"rules": map[string]any{"ctxloop": true}}, all},
		{map[string]any{"rules": map[string]any{"ctxloop": false, "directive": false}}, func(rule string) bool { return rule != "ctxloop" && rule != "directive" }},
	} {
		l, err := linter(t, test.settings)
		if err != nil {
			t.Errorf("%v: %v", test.settings, err)
			continue
		}
		got, err := l.BuildAnalyzers()
		if err != nil {
			t.Fatal(err)
		}
		for _, rule := range analyzers.All() {
			runs := slices.ContainsFunc(got, func(a *analysis.Analyzer) bool { return a.Name == rule.Name })
			if runs != test.runs(rule.Name) {
				t.Errorf("%v: rule %s runs: %v", test.settings, rule.Name, !test.runs(rule.Name))
			}
		}
		if l.GetLoadMode() != register.LoadModeTypesInfo {
			t.Errorf("load mode %s", l.GetLoadMode())
		}
	}
}

func TestWrongSettings(t *testing.T) {
	t.Parallel()
	off := make(map[string]any)
	for _, rule := range analyzers.All() {
		off[rule.Name] = false
	}
	const place = "linters.settings.custom.operatorvet.settings"
	for _, test := range []struct {
		settings any
		want     string
	}{
		{"ctxloop", place + `: want keys with values, not ctxloop`},
		{map[string]any{"rule": nil}, place + ".rule: unknown option; there are ctxloop, functions, missingwatch, rules, unstablewrite"},
		{map[string]any{"rules": []any{"ctxloop"}}, place + ".rules: want keys with values, not a list"},
		{map[string]any{"rules": map[string]any{"ctxlop": false}}, place + ".rules.ctxlop: unknown rule; there are " + strings.Join(config.Rules[:], ", ")},
		{map[string]any{"rules": map[string]any{"ctxloop": "off"}}, place + `.rules.ctxloop: want true or false, not "off"`},
		{map[string]any{"rules": off}, place + ".rules: all are off; disable the linter instead"},
		{map[string]any{"ctxloop": map[string]any{"max-wait": 5}}, place + `.ctxloop.max-wait: "5" is no duration like 500ms, 5s or 1m30s`},
	} {
		if _, err := linter(t, test.settings); err == nil || err.Error() != test.want {
			t.Errorf("%v: got %v, want %s", test.settings, err, test.want)
		}
	}
}
