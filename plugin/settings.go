package plugin

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/analyzers"
)

// place is where in .golangci.yml the settings stand.
const place = "linters.settings.custom." + name + ".settings"

// decode reads the settings as golangci-lint hands them over, and returns the
// rules that they leave on.
func decode(raw any) ([]*analysis.Analyzer, error) {
	rules := analyzers.All()
	settings, err := object(place, raw)
	if err != nil {
		return nil, err
	}
	for _, key := range slices.Sorted(maps.Keys(settings)) {
		if key != "rules" {
			return nil, fmt.Errorf("%s.%s: unknown setting; there is only rules", place, key)
		}
	}
	on, err := object(place+".rules", settings["rules"])
	if err != nil {
		return nil, err
	}
	for _, key := range slices.Sorted(maps.Keys(on)) {
		field := place + ".rules." + key
		i := slices.IndexFunc(rules, func(r *analysis.Analyzer) bool { return r.Name == key })
		if i < 0 {
			return nil, fmt.Errorf("%s: unknown rule; the rules are %s", field, names(analyzers.All()))
		}
		switch on[key] {
		case true:
		case false:
			rules = slices.Delete(rules, i, i+1)
		default:
			return nil, fmt.Errorf("%s: want true or false, not %v", field, on[key])
		}
	}
	if len(rules) == 0 {
		return nil, errors.New(place + ".rules: all rules are off; disable the linter instead")
	}
	return rules, nil
}

func object(field string, raw any) (map[string]any, error) {
	if raw == nil {
		return nil, nil
	}
	m, ok := raw.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%s: want keys with values, not %v", field, raw)
	}
	return m, nil
}

func names(rules []*analysis.Analyzer) string {
	var names []string
	for _, r := range rules {
		names = append(names, r.Name)
	}
	return strings.Join(names, ", ")
}
