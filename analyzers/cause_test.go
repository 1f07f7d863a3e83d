package analyzers_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/analyzers/missingwatch"
	"github.com/operatorvet/operatorvet/internal/rules/config"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/testing/fixture"
)

// TestCausesFixtures checks which findings of missingwatch have one cause: the kinds
// of a builder, and controllers that leave out the same kinds of the same writes.
func TestCausesFixtures(t *testing.T) {
	t.Parallel()
	c := corpus(t)
	f := c.FixtureOf("missingwatch/callees/kind_is_known_at_the_call/controller.go")
	graph, err := fixture.Analyze(rule.With(new(config.Overrides), rule.Mode{Once: true}, []*analysis.Analyzer{missingwatch.Analyzer}), f.Packages)
	if err != nil {
		t.Fatal(err)
	}
	findings, err := c.Findings(graph)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range findings {
		got = append(got, strings.ReplaceAll(f.Message, "missingwatch/callees/kind_is_known_at_the_call/", ""))
	}
	const consequence = " but the controller does not watch it; drift waits for the next resync (10 hours by default)"
	want := []string{
		"Reconcile creates corev1.Secret (writer/writer.go:27)" + consequence +
			"; and 2 more kinds: corev1.ServiceAccount (writer/writer.go:22), corev1.Service (controller.go:32)",
		"Reconcile creates corev1.ServiceAccount (writer/writer.go:22)" + consequence +
			"; and 1 more kind: corev1.Secret (writer/writer.go:27); and 1 more controller: controller.go:70",
		"Reconcile creates corev1.Service (controller.go:77)" + consequence,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}
