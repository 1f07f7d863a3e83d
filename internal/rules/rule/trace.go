package rule

import (
	"fmt"
	"go/token"

	"golang.org/x/tools/go/analysis"
)

// An Obligation is what a rule must establish before it reports a finding, in
// words: "the value reaches the write on each reconcile". A rule declares its
// obligations as constants, in the order in which it checks them.
type Obligation string

// A Decision is what a rule decided about a candidate for a finding.
type Decision struct {
	Pos token.Pos
	// Failed is the first obligation that is not established, or "" if the rule
	// reports the candidate.
	Failed Obligation
	// Why is the message of the finding, or says why the obligation is not
	// established. It may mention other places; the candidate is found by these
	// too.
	Why string
}

// All rules have these obligations after their own.
const (
	// Wanted: the options do not switch the rule off.
	Wanted Obligation = "the rule is on"
	// Unsuppressed: the finding is in a handwritten file, and no directive
	// ignores it.
	Unsuppressed Obligation = "nothing suppresses the finding"
)

// IsTraced reports whether the driver wants to know the decisions of rules. The
// analyzer of the pass must require [Options].
func IsTraced(pass *analysis.Pass) bool {
	return pass.ResultOf[Options].(*optionsResult).Traced
}

// Asks reports whether the driver wants to know what the package asks of the API server.
// The analyzer of the pass must require [Options].
func Asks(pass *analysis.Pass) bool { return pass.ResultOf[Options].(*optionsResult).Asks }

// Traced reports whether the rule should call Silent.
func (p *Pass) Traced() bool { return p.decisions != nil }

// Silent records that the rule does not report the candidate at pos, because an
// obligation is not established. It does nothing unless the pass is traced.
func (p *Pass) Silent(pos token.Pos, failed Obligation, format string, args ...any) {
	p.decisions.add(pos, failed, format, args...)
}

// decisions are the decisions of a rule about a package. The pointer to it is
// nil if the pass is not traced.
type decisions []Decision

func (d *decisions) add(pos token.Pos, failed Obligation, format string, args ...any) {
	if d != nil {
		*d = append(*d, Decision{pos, failed, fmt.Sprintf(format, args...)})
	}
}
