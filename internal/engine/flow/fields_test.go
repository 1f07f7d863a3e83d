package flow

import (
	"fmt"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// TestFieldOfManyStates stores a variable in a field that a loop with many cases
// assigns to. The number of paths to its value is exponential.
func TestFieldOfManyStates(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("package p\ntype machine struct { step func() }\nfunc start() {}\nfunc run(m *machine, events []int) {\nnext, last := start, start\nfor _, e := range events {\nswitch e {\n")
	for i := range 2000 {
		fmt.Fprintf(&b, "case %d: %s\n", i, []string{"next = last", "last = next"}[i%2])
	}
	b.WriteString("}\n}\nm.step = next\n}\n")
	pkg, _ := build(t, b.String())
	step := pkg.Type("machine").Type().Underlying().(*types.Struct).Field(0)
	index := origin.NewIndex(pkg, []*ssa.Function{pkg.Func("run")})
	fields := &fieldStores{index: index, found: make(map[*types.Var][]ssa.Value)}
	if got := fields.get(step); len(got) != 1 || got[0] != pkg.Func("start") {
		t.Errorf("found %v in the field, want start", got)
	}
}
