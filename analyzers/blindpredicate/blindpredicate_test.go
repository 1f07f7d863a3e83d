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

// TestStatusSubresource checks of which kinds a predicate on the generation hides the status.
func TestStatusSubresource(t *testing.T) {
	t.Parallel()
	const user = "github.com/owner/operator/internal/controller"
	tests := []struct {
		user     string
		typeName string
		want     bool
	}{
		{user, "k8s.io/api/apps/v1.Deployment", true},
		{user, "sigs.k8s.io/cluster-api/api/core/v1beta2.Machine", true},
		{user, "github.com/owner/operator/api/v1.Thing", true},
		{user, "github.com/owner/api/v1.Thing", false},
		{user, "example.com/api/v1.Thing", false},
		{"example.com/operator/internal/controller", "example.com/operator/api/v1.Thing", true},
	}
	for _, tt := range tests {
		kind, ok := library.KindOfType(tt.typeName)
		if got := hasStatusSubresource(kind, tt.user); !ok || got != tt.want {
			t.Errorf("the status of %s is a subresource: %v, want %v", tt.typeName, got, tt.want)
		}
	}
}
