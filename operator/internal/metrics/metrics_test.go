package metrics_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"

	"github.com/operatorvet/operatorvet/operator/internal/metrics"
	"github.com/operatorvet/operatorvet/operator/preempt"
)

func TestWritesAreCountedByVerbAndKind(t *testing.T) {
	t.Parallel()
	registry := prometheus.NewRegistry()
	m := metrics.New(registry, "thing")
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	httpClient := &http.Client{Transport: m.CountWrites(clientgoscheme.Scheme)(http.DefaultTransport)}

	for _, request := range []string{
		"GET /api/v1/namespaces/default/configmaps/web",
		"PATCH /api/v1/namespaces/default/configmaps/web",
		"PATCH /apis/apps/v1/namespaces/pods/deployments/web", // a namespace called pods
		"PATCH /apis/apps/v1/namespaces/default/deployments/web/scale",
		"POST /api/v1/namespaces/default/services",
		"PUT /api/v1/namespaces/default",
		"DELETE /apis/example.com/v1/namespaces/default/widgets/a",
		"POST /apis/events.k8s.io/v1/namespaces/default/events",
		"PUT /apis/coordination.k8s.io/v1/namespaces/default/leases/leader",
		"POST /apis/authentication.k8s.io/v1/tokenreviews", // a question
		"POST /apis/authorization.k8s.io/v1/namespaces/default/localsubjectaccessreviews",
	} {
		method, path, _ := strings.Cut(request, " ")
		r, err := http.NewRequestWithContext(t.Context(), method, server.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := httpClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
	}
	const want = `
# HELP thing_operator_writes_total Write requests sent to the API server, by verb (create, update, patch, delete) and kind, events and the leader's lease among them.
# TYPE thing_operator_writes_total counter
thing_operator_writes_total{controller="thing",kind="ConfigMap",verb="patch"} 1
thing_operator_writes_total{controller="thing",kind="Deployment",verb="patch"} 2
thing_operator_writes_total{controller="thing",kind="Event",verb="create"} 1
thing_operator_writes_total{controller="thing",kind="Lease",verb="update"} 1
thing_operator_writes_total{controller="thing",kind="Namespace",verb="update"} 1
thing_operator_writes_total{controller="thing",kind="Service",verb="create"} 1
thing_operator_writes_total{controller="thing",kind="unknown",verb="delete"} 1
`
	if err := testutil.GatherAndCompare(registry, strings.NewReader(want), "thing_operator_writes_total"); err != nil {
		t.Error(err)
	}
}

func TestPreemptionsAndDrainsAreCounted(t *testing.T) {
	t.Parallel()
	registry := prometheus.NewRegistry()
	m := metrics.New(registry, "thing")
	m.Preempted(&preempt.Cause{Generation: 1, Newer: 2})
	m.Preempted(&preempt.Cause{Generation: 2, Deleted: true})
	m.ScaledIn(metrics.Interrupted)
	const want = `
# HELP thing_operator_drains_total Scale-ins that drained pods, by result (drained, timed_out, interrupted).
# TYPE thing_operator_drains_total counter
thing_operator_drains_total{controller="thing",result="drained"} 0
thing_operator_drains_total{controller="thing",result="interrupted"} 1
thing_operator_drains_total{controller="thing",result="timed_out"} 0
# HELP thing_operator_preemptions_total Reconciles that were cancelled because a newer spec or a deletion made them pointless, by reason.
# TYPE thing_operator_preemptions_total counter
thing_operator_preemptions_total{controller="thing",reason="deletion"} 1
thing_operator_preemptions_total{controller="thing",reason="newer_spec"} 1
`
	if err := testutil.GatherAndCompare(registry, strings.NewReader(want), "thing_operator_drains_total", "thing_operator_preemptions_total"); err != nil {
		t.Error(err)
	}
}
