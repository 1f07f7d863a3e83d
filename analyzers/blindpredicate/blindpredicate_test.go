package blindpredicate

import (
	"strings"
	"testing"
	"time"

	"github.com/operatorvet/operatorvet/internal/engine/controller"
	"github.com/operatorvet/operatorvet/internal/library"
)

// TestMessages checks what a finding says of the time until the reconciler looks again.
func TestMessages(t *testing.T) {
	t.Parallel()
	tests := []struct {
		hidden library.Changes
		poll   controller.Poll
		want   string
	}{
		{library.Content, controller.Poll{}, "; drift is never repaired"},
		{library.Content, controller.Poll{Polls: true, Every: time.Hour}, "; drift waits for the next poll (every 1h0m0s)"},
		{library.Content, controller.Poll{Polls: true, Due: true}, "; drift waits for the next poll"},
		{library.Content, controller.Poll{Perhaps: true}, "; drift waits for the next poll, if any"},
		{library.Content, controller.Poll{Resyncs: true, Resync: 10 * time.Hour}, "; drift waits for the next resync (every 10h0m0s)"},
		{library.Content, controller.Poll{Polls: true, Every: time.Hour, Resyncs: true, Resync: 10 * time.Hour}, "; drift waits for the next poll (every 1h0m0s)"},
		{library.Content, controller.Poll{ResyncsByDefault: true}, "; drift waits for the next resync (10 hours by default)"},
		{library.Status, controller.Poll{}, "; it never sees progress"},
		{library.Status, controller.Poll{Resyncs: true, Resync: 10 * time.Hour}, "; it sees progress only at the next resync (every 10h0m0s)"},
	}
	for _, tt := range tests {
		f := finding{hidden: tt.hidden, kinds: []string{"corev1.ConfigMap"}, poll: tt.poll}
		if got := f.message(); !strings.HasSuffix(got, tt.want) {
			t.Errorf("the message is %q, want it to end with %q", got, tt.want)
		}
	}
}
