package flow

import (
	"fmt"
	"slices"
	"testing"

	"github.com/operatorvet/operatorvet/internal/engine/access"
)

// TestBoundedLabels joins more labels than a value may have. Content that covers
// other content and the sources stay.
func TestBoundedLabels(t *testing.T) {
	t.Parallel()
	clock := Label{Kind: Clock, What: "time.Now"}
	all := labels{clock}
	for i := range 2 * maxLabels {
		all = all.union(newLabels(Label{Kind: Content, Param: 1, Path: access.Fields("Spec", fmt.Sprintf("F%03d", i))}))
	}
	if len(all) > maxLabels {
		t.Errorf("%d labels", len(all))
	}
	if !slices.Contains(all, clock) {
		t.Error("the source is lost")
	}
	whole := Label{Kind: Content, Param: 1, Path: access.Fields("Spec")}
	other := Label{Kind: Content, Param: 1, Path: access.Fields("Special")}
	fixed := Label{Kind: Content, Param: 1, Path: access.Fields("Spec", "G"), Fixed: true}
	merged := append(slices.Clone(all), whole, other, fixed)
	if got, want := newLabels(merged...), newLabels(whole, other, fixed, clock); !got.equal(want) {
		t.Errorf("merged to %v, want %v", got, want)
	}
}
