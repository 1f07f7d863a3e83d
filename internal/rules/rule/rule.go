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
	report    func(analysis.Diagnostic, cause.Cause)
	editor    *edit.Editor
	decisions *decisions // nil if the pass is not traced
}

// Reportf reports a finding at rng. The message is one line, without the rule's
// name.
func (p *Pass) Reportf(rng analysis.Range, format string, args ...any) {
	p.ReportFix(rng, nil, format, args...)
}

// ReportFix is like Reportf with a fix that can be applied without review, or
// nil.
func (p *Pass) ReportFix(rng analysis.Range, fix *analysis.SuggestedFix, format string, args ...any) {
	p.ReportCause(rng, cause.Cause{}, fix, format, args...)
}

// ReportCause is like ReportFix for a finding that others may have the cause of.
func (p *Pass) ReportCause(rng analysis.Range, c cause.Cause, fix *analysis.SuggestedFix, format string, args ...any) {
	d := analysis.Diagnostic{
		Pos:     rng.Pos(),
		End:     rng.End(),
		Message: fmt.Sprintf(format, args...),
	}
	if fix != nil {
		d.SuggestedFixes = []analysis.SuggestedFix{*fix}
	}
	p.report(d, c)
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
			if opts.traced {
				traced = new(decisions)
			}
			var all found
			report := func(d analysis.Diagnostic, c cause.Cause) {
				d.Category = name
				d.URL = URL(name)
				switch passes := filter.passes(d); {
				case opts.Off[name]:
					traced.add(d.Pos, Wanted, "%s", d.Message)
				case !passes:
					traced.add(d.Pos, Unsuppressed, "%s", d.Message)
				default:
					traced.add(d.Pos, "", "%s", d.Message)
					all = append(all, finding{d, c})
					if !opts.once {
						pass.Report(d)
					}
				}
			}
			filtered := *pass
			filtered.Report = func(d analysis.Diagnostic) { report(d, cause.Cause{}) }
			err := check(&Pass{&filtered, report, edit.NewEditor(pass), traced})
			filter.suppressions.found = all
			if opts.once {
				for _, d := range all.once(pass.Fset) {
					pass.Report(d)
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
