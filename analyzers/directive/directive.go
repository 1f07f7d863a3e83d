package directive

import (
	_ "embed"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/analyzers/blindpredicate"
	"github.com/operatorvet/operatorvet/analyzers/ctxloop"
	"github.com/operatorvet/operatorvet/analyzers/deadcleanup"
	"github.com/operatorvet/operatorvet/analyzers/missingwatch"
	"github.com/operatorvet/operatorvet/analyzers/unstablewrite"
	"github.com/operatorvet/operatorvet/internal/rules/directive"
	"github.com/operatorvet/operatorvet/internal/rules/edit"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/wiring"
)

//go:embed doc.go
var doc string

// name is the name of the rule.
const name = "directive"

// Analyzer is the rule.
var Analyzer = analyzer(
	blindpredicate.Analyzer,
	ctxloop.Analyzer,
	deadcleanup.Analyzer,
	missingwatch.Analyzer,
	unstablewrite.Analyzer,
)

// analyzer returns the rule, given the rules that directives may name.
func analyzer(rules ...*analysis.Analyzer) *analysis.Analyzer {
	return rule.New(name, doc, func(pass *rule.Pass) error {
		for _, file := range pass.Files {
			for _, d := range directive.InFile(pass.Fset, file) {
				check(pass, rules, d)
			}
		}
		return nil
	}, append(slices.Clip(rules), wiring.Analyzer)...)
}

func check(pass *rule.Pass, rules []*analysis.Analyzer, d *directive.Directive) {
	if d.Misspelt {
		checkMisspelt(pass, rules, d)
		return
	}
	switch {
	case d.Verb != "ignore":
		pass.Reportf(d, "unknown directive operatorvet:%s; there is only operatorvet:ignore", d.Verb)
		return
	case len(d.Rules) == 0:
		pass.Reportf(d, "ignore directive names no rule; write //operatorvet:ignore RULE reason")
		return
	}

	var known []directive.Name
	for _, n := range d.Rules {
		if slices.ContainsFunc(rules, func(r *analysis.Analyzer) bool { return r.Name == n.Text }) {
			known = append(known, n)
			continue
		}
		if n.Text == name {
			pass.Reportf(rangeOf(d, n), "findings of directive cannot be ignored; remove or mend the comment")
			continue
		}
		pass.Reportf(rangeOf(d, n), "ignore directive names unknown rule %q; the rules are %s", n.Text, list(rules))
	}
	if d.Reason == "" {
		pass.Reportf(d, "ignore directive gives no reason; it suppresses nothing without one")
		return
	}
	idle := slices.DeleteFunc(known, func(n directive.Name) bool {
		return used(pass, rules, d, n.Text) || wiring.Of(pass.Pass).Missed()
	})
	for _, n := range idle {
		pass.ReportFix(rangeOf(d, n), removal(pass, d, n, len(idle) == len(d.Rules)), "ignore directive suppresses no finding of %s; remove it", n.Text)
	}
}

// checkMisspelt reports a comment that looks like a directive and names a rule. Others
// may be prose about directives.
func checkMisspelt(pass *rule.Pass, rules []*analysis.Analyzer, d *directive.Directive) {
	for _, n := range d.Rules {
		if n.Text != name && !slices.ContainsFunc(rules, func(r *analysis.Analyzer) bool { return r.Name == n.Text }) {
			return
		}
	}
	if len(d.Rules) == 0 {
		return
	}
	fix := edit.None("a directive needs a reason")
	if d.Reason != "" {
		change := pass.Fix(d.Pos())
		change.ReplaceComment(d.Pos(), d.End(), d.String())
		fix = change.Done("Write " + d.String())
	}
	pass.ReportFix(d, fix, "comment suppresses nothing, because it does not begin with //operatorvet:ignore")
}

// removal returns the fix that removes a name from a directive, or the directive if
// none of its names is of use.
func removal(pass *rule.Pass, d *directive.Directive, n directive.Name, all bool) edit.Proposal {
	fix := pass.Fix(d.Pos())
	if all {
		fix.RemoveComment(d.Pos(), d.End())
		return fix.Done("Remove the comment")
	}
	from, to := d.Range(n)
	fix.CutComment(from, to)
	return fix.Done("Remove " + n.Text + " from the comment")
}

// used reports whether the directive silenced a finding of the rule.
func used(pass *rule.Pass, rules []*analysis.Analyzer, d *directive.Directive, name string) bool {
	return slices.ContainsFunc(rules, func(r *analysis.Analyzer) bool {
		return r.Name == name && pass.ResultOf[r].(*rule.Suppressions).Used(d.Pos())
	})
}

func rangeOf(d *directive.Directive, n directive.Name) rule.Span {
	from, to := d.Range(n)
	return rule.Span{From: from, To: to}
}

func list(rules []*analysis.Analyzer) string {
	var names []string
	for _, r := range rules {
		names = append(names, r.Name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
