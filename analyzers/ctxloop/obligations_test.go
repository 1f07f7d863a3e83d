package ctxloop

import (
	"slices"
	"testing"

	"github.com/operatorvet/operatorvet/internal/engine/waiting"
)

// TestObligations checks that the trace of the rule has an obligation for each
// reason why a wait is not reported.
func TestObligations(t *testing.T) {
	t.Parallel()
	bad := []waiting.Reason{waiting.AfterWait, waiting.GoesOn, waiting.Unended, waiting.NoWayOut}
	for r := waiting.AsPoll; r <= waiting.NotRunning; r++ {
		if obligations[r] == "" && !slices.Contains(bad, r) {
			t.Errorf("no obligation for %q", r)
		}
	}
}
