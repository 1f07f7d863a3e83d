package flow

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/operatorvet/operatorvet/internal/engine/access"
)

// TestUnionOfPlaces checks the union against its definition.
func TestUnionOfPlaces(t *testing.T) {
	t.Parallel()
	objs := []*object{{id: 1}, {id: 2}, {id: 3}}
	random := rand.New(rand.NewPCG(1, 2))
	some := func() (refs []loc) {
		for range random.IntN(6) {
			refs = append(refs, loc{objs[random.IntN(len(objs))], access.Fields(fmt.Sprintf("F%d", random.IntN(3)))})
		}
		if random.IntN(4) > 0 {
			slices.SortFunc(refs, compareLocs)
			refs = slices.Compact(refs)
		}
		return refs
	}
	for range 10_000 {
		a, b := some(), some()
		wasA, wasB := slices.Clone(a), slices.Clone(b)
		got := unionRefs(a, b)
		if !slices.Equal(a, wasA) || !slices.Equal(b, wasB) {
			t.Fatalf("union of %v and %v changes them", wasA, wasB)
		}
		if len(a) == 0 || len(b) == 0 {
			continue // the other, as it is
		}
		want := append(slices.Clone(a), b...)
		slices.SortFunc(want, compareLocs)
		if want = slices.Compact(want); !slices.Equal(got, want) {
			t.Fatalf("union of %v and %v is %v, want %v", a, b, got, want)
		}
	}
}
