// Package rule makes the analyzers of the rules. All rules share what it does:
// it completes each finding, suppresses findings, and turns a panic into an
// error.
package rule

import (
	"fmt"
	"go/token"
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/internal/rules/cause"
	"github.com/operatorvet/operatorvet/internal/rules/edit"
)

// Pass is a rule's view of the package under analysis. Findings that are
// reported through it reach the user unless they are suppressed.
type Pass struct {
	*analysis.Pass
	report    func(Finding)
	editor    *edit.Editor
	decisions *decisions // nil if the pass is not traced
}

// Reportf reports a finding at rng. The message is one line, without the rule's
// name.
func (p *Pass) Reportf(rng analysis.Range, format string, args ...any) {
	p.ReportFinding(Finding{Range: rng, Message: fmt.Sprintf(format, args...)})
}

// ReportFix is like Reportf with a fix that can be applied without review, if there is
// one.
func (p *Pass) ReportFix(rng analysis.Range, fix edit.Proposal, format string, args ...any) {
	p.ReportFinding(Finding{Range: rng, Message: fmt.Sprintf(format, args...), Fix: fix})
}

// ReportFinding reports a finding of which more is known than its place and its message.
func (p *Pass) ReportFinding(f Finding) { p.report(f) }

// A Finding is what a rule knows of a finding.
type Finding struct {
	analysis.Range
	// Message is one line, without the rule's name. It has places as [place.Place.Full]
	// writes them.
	Message string
	// Fix can be applied without review, if there is one.
	Fix edit.Proposal
	// Cause is what other findings may have in common with it.
	Cause cause.Cause
	// Steps show the way to the finding.
	Steps []Step
	// Remedy says what to do in this very case, in a few words: "sort the keys".
	Remedy string
}

// diagnostic returns the finding of a rule as drivers want it.
func (f Finding) diagnostic(pass *analysis.Pass, rule string) analysis.Diagnostic {
	d := analysis.Diagnostic{
		Pos:      f.Pos(),
		End:      f.End(),
		Category: rule,
		URL:      URL(rule),
		Message:  short(pass, f.Message),
	}
	if f.Fix.Fix != nil {
		d.SuggestedFixes = []analysis.SuggestedFix{*f.Fix.Fix}
	}
	return d
}

// Fix begins a fix of the file around pos.
func (p *Pass) Fix(pos token.Pos) *edit.Fix { return p.editor.At(pos) }

// Span is a range of source positions.
type Span struct{ From, To token.Pos }

func (s Span) Pos() token.Pos { return s.From }
func (s Span) End() token.Pos { return s.To }

// New returns the analyzer of a rule from its name, its doc.go, its check, and
// the analyzers whose results the check reads. New adds [Options] to these. The
// analyzer's result is the *[Suppressions] of the package.
func New(name, doc string, check func(*Pass) error, requires ...*analysis.Analyzer) *analysis.Analyzer {
	return Guard(&analysis.Analyzer{
		Name:       name,
		Doc:        Doc(name, doc),
		URL:        URL(name),
		Requires:   append(slices.Clip(requires), Options),
		ResultType: reflect.TypeFor[*Suppressions](),
		Run: func(pass *analysis.Pass) (any, error) {
			opts := pass.ResultOf[Options].(*optionsResult)
			if opts.err != nil {
				return nil, opts.err
			}
			filter := newFilter(pass)
			var traced *decisions
			if opts.Traced {
				traced = new(decisions)
			}
			var all found
			var rulePass *Pass
			show := func(f finding) {
				if opts.Named {
					f.Message = name + ": " + f.Message
				}
				if opts.Related {
					f.Related = rulePass.related(f.steps)
				}
				pass.Report(f.Diagnostic)
			}
			report := func(f Finding) {
				d := f.diagnostic(pass, name)
				switch passes := filter.passes(d); {
				case opts.Off[name]:
					traced.add(d.Pos, Wanted, "%s", d.Message)
				case !passes:
					traced.add(d.Pos, Unsuppressed, "%s", d.Message)
				default:
					traced.add(d.Pos, "", "%s", d.Message)
					all = append(all, finding{d, f.Steps, About{f.Message, f.Cause, rulePass.marks(f.Steps), f.Remedy, f.Fix.Why}})
					if !opts.Once {
						show(all[len(all)-1])
					}
				}
			}
			filtered := *pass
			filtered.Report = func(d analysis.Diagnostic) {
				f := Finding{Range: Span{d.Pos, d.End}, Message: d.Message}
				if len(d.SuggestedFixes) > 0 {
					f.Fix.Fix = &d.SuggestedFixes[0]
				}
				report(f)
			}
			rulePass = &Pass{&filtered, report, edit.NewEditor(pass), traced}
			err := check(rulePass)
			filter.suppressions.abouts = all.abouts()
			if opts.Once {
				for _, f := range all.once(pass) {
					show(f)
				}
			}
			if traced != nil {
				filter.suppressions.decisions = *traced
			}
			return filter.suppressions, err
		},
	})
}

// URL returns the address of the rule's documentation.
func URL(name string) string {
	return "https://github.com/operatorvet/operatorvet/blob/main/docs/rules/" + name + ".md"
}
