package sccp_test

import (
	"go/constant"
	"go/types"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
	"github.com/operatorvet/operatorvet/internal/ssa/sccp"
	"github.com/operatorvet/operatorvet/internal/testing/source"
)

// A value is an element of the flat lattice of booleans.
type value uint8

const (
	none value = iota
	no
	yes
	unknown
)

// booleans has the transfer functions for booleans.
type booleans struct{ solver *sccp.Solver[value] }

func (booleans) Join(v, w value) value {
	switch {
	case v == w || w == none:
		return v
	case v == none:
		return w
	}
	return unknown
}

func (booleans) Top() value { return unknown }

func (booleans) Constant(v ssa.Value) value {
	switch b, ok := constants.Bool(v); {
	case !ok:
		return unknown
	case b:
		return yes
	}
	return no
}

func (booleans) Zero(types.Type) value { return no }

func (b booleans) Eval(_ ssa.Value, o origin.Origin) value {
	if o.Kind != origin.Computed || o.Y != nil {
		return unknown
	}
	switch v := b.solver.Value(o.X); v { // negation
	case yes:
		return no
	case no:
		return yes
	default:
		return v
	}
}

func (booleans) Tuple(ssa.Value) []value { return []value{yes, no} }

func (booleans) Branch(_ *ssa.If, cond value) (yesEdge, noEdge bool) {
	return cond == yes || cond == unknown, cond == no || cond == unknown
}

func (booleans) Refine(v ssa.Value, val value, b *ssa.BasicBlock) value {
	for _, c := range cfg.Dominating(b) {
		if c.Value == v {
			return booleans{}.Constant(ssa.NewConst(constant.MakeBool(c.Holds), types.Typ[types.Bool]))
		}
	}
	return val
}

func (booleans) Tracks(addr ssa.Value) bool {
	o := origin.Of(addr)
	return o.Kind == origin.Local || o.Kind == origin.Captured
}

func (booleans) Escapes(addr ssa.Value) bool {
	if v, ok := addr.(*ssa.Alloc); ok {
		return v.Heap
	}
	return true
}

// TestSolve checks the value of the argument of mark.
func TestSolve(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, src string
		want      value
	}{
		{"constant", `func f(a bool) { mark(true) }`, yes},
		{"parameter", `func f(a bool) { mark(a) }`, unknown},
		{"negation", `func f(a bool) { b := true; mark(!b) }`, no},
		{"both ways", `func f(a bool) { b := true; if a { b = false }; mark(b) }`, unknown},
		{"the same both ways", `func f(a bool) { b := true; if a { b = !false }; mark(b) }`, yes},
		{"way that is not taken", `func f(a bool) { b, c := true, false; if c { b = a }; mark(b) }`, yes},
		{"never reached", `func f(a bool) { c := false; if c { mark(true) } }`, none},
		{"condition on the way", `func f(a bool) { b := false; if a { b = a }; mark(b || a) }`, unknown},
		{"phi knows the condition", `func f(a bool) { b := true; if a { b = a }; mark(b) }`, yes},
		{"loop that changes nothing", `func f(a bool) { b := true; for g() { b = !!b }; mark(b) }`, yes},
		{"loop that changes it", `func f(a bool) { b := true; for g() { b = !b }; mark(b) }`, unknown},
		{"variable with an address", `func f(a bool) { b := true; h(&b); mark(b) }`, unknown},
		{"variable of which calls know nothing", `func f(a bool) (b bool) { defer g(); b = !b; g(); mark(b); return }`, yes},
		{"second of several results", `func f(a bool) { _, b := two(); mark(b) }`, no},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			pkg := source.SSA(t, "func mark(bool); func g() bool; func h(*bool); func two() (bool, bool)\n"+test.src)
			call := source.Calls(pkg, "mark")[0]
			s := &sccp.Solver[value]{Fn: call.Parent()}
			if !s.Solve(booleans{s}) {
				t.Fatal("no fixpoint")
			}
			got := none
			if s.Reached(call.Block()) {
				got = s.At(call.Call.Args[0], call.Block())
			}
			if got != test.want {
				t.Errorf("got %d, want %d", got, test.want)
			}
		})
	}
}

// TestRound checks that one round of a loop begins with the given values of its
// variables and ends at its header.
func TestRound(t *testing.T) {
	t.Parallel()
	pkg := source.SSA(t, `func mark(bool); func g() bool
		func f() { b := true; for g() { mark(b); b = false } }`)
	call := source.Calls(pkg, "mark")[0]
	l := cfg.Loops(call.Parent()).Loops[0]
	for _, given := range []value{yes, no} {
		s := &sccp.Solver[value]{Fn: call.Parent(), Region: l, Given: map[ssa.Value]value{l.Phis()[0]: given}}
		s.Solve(booleans{s})
		if got := s.Value(call.Call.Args[0]); got != given {
			t.Errorf("got %d, want %d", got, given)
		}
		if latch := l.Latches()[0]; !s.Live(cfg.Edge{From: latch, To: l.Header}) {
			t.Error("the round does not end")
		}
	}
}

// TestStart checks that execution may begin at any block, with the values
// computed before, and stops at a barrier.
func TestStart(t *testing.T) {
	t.Parallel()
	pkg := source.SSA(t, `func mark(bool); func g() bool
		func f(a bool) { b := g(); mark(true); if a { mark(b) }; mark(a) }`)
	calls := source.Calls(pkg, "mark")
	start, last := calls[1], calls[2]
	b := start.Call.Args[0]
	s := &sccp.Solver[value]{Fn: start.Parent(), Start: start.Block(), Barrier: last.Block(), Given: map[ssa.Value]value{b: yes}}
	s.Solve(booleans{s})
	if got := s.Value(b); got != yes || s.Reached(last.Block()) || s.Reached(calls[0].Block()) {
		t.Errorf("got %d; reached what is behind the barrier: %v", got, s.Reached(last.Block()))
	}
}
