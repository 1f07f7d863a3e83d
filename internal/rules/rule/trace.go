package rule

import (
	"fmt"
	"go/token"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/internal/rules/config"
)

// An Obligation is what a rule must establish before it reports something, in
// words: "the value reaches the write on each reconcile". Rules name theirs by
// constants, in the order in which they look at them.
type Obligation string

// A Decision is what a rule has decided about a candidate for a finding.
type Decision struct {
	Pos token.Pos
	// Failed is the first obligation that is not established, or "" if the
	// candidate is reported.
	Failed Obligation
	// Why says why it is not, or is the message of the finding. A place that it
	// names is one that the candidate is known by, too.
	Why string
}

// The obligations that all rules share, behind their own.
const (
	// Wanted: the options leave the rule on.
	Wanted Obligation = "the rule is on"
	// Unsuppressed: the finding is in a file that is written by hand, and no
	// directive ignores it.
	Unsuppressed Obligation = "nothing suppresses the finding"
)

// Traced is [With] for a driver that shows why there is a finding, or none: the
// copies keep what they need to say so.
func Traced(overrides *config.Overrides, rules []*analysis.Analyzer) []*analysis.Analyzer {
	copies := map[*analysis.Analyzer]*analysis.Analyzer{Options: options(overrides, true)}
	return copiesOf(rules, copies)
}

// IsTraced reports whether the driver wants to know why. The analyzer of the pass
// requires [Options].
func IsTraced(pass *analysis.Pass) bool {
	return pass.ResultOf[Options].(*optionsResult).traced
}

// Traced reports whether somebody wants to know why the rule is silent.
func (p *Pass) Traced() bool { return p.decisions != nil }

// Silent says that the rule does not report the candidate at pos, because an
// obligation is not established. It does nothing unless the pass is traced.
func (p *Pass) Silent(pos token.Pos, failed Obligation, format string, args ...any) {
	p.decisions.add(pos, failed, format, args...)
}

// decisions are those of a rule about a package; nil if nobody wants to know.
type decisions []Decision

func (d *decisions) add(pos token.Pos, failed Obligation, format string, args ...any) {
	if d != nil {
		*d = append(*d, Decision{pos, failed, fmt.Sprintf(format, args...)})
	}
}
