package cfg_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/testing/source"
)

const helpers = `
func mark()
func ok() bool
func err() error
`

// TestLoops checks which loops enclose the call of mark, innermost first. For
// each it checks whether every round passes the call, and whether control can
// leave or continue the loop from there.
func TestLoops(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, src, want string }{
		{"no loop", `func f() { if ok() { mark() } }`, ""},
		{"for without condition", `func f() { for { mark() } }`, "every continues"},
		{"made with goto", `func f() { again: mark(); if ok() { goto again } }`, "every leaves continues"},
		{"some rounds", `func f() { for ok() { if ok() { mark() } } }`, "continues"},
		{"last round", `func f() { for { if ok() { mark(); return } } }`, ""},
		{"nested", `func f() { for ok() { for { mark(); if ok() { break } } } }`, "every leaves continues; every continues"},
		{"labelled continue", `func f() { outer: for ok() { for { mark(); if ok() { continue outer } } } }`, "every leaves continues; every continues"},
		{"a panic is no way out", `func f() { for { mark(); if ok() { panic(1) } } }`, "every continues"},
		{"range over an integer", `func f() { for range 3 { mark() } }`, "every leaves continues"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := markedBlock(t, test.src)
			var got []string
			for l := cfg.Loops(b.Parent()).Innermost(b); l != nil; l = l.Parent {
				var is []string
				if l.EveryRound(b) {
					is = append(is, "every")
				}
				if l.Leaves(b) {
					is = append(is, "leaves")
				}
				if l.Continues(b) {
					is = append(is, "continues")
				}
				got = append(got, strings.Join(is, " "))
			}
			if got := strings.Join(got, "; "); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestStretches checks which blocks belong together, and that edges back stay within a
// stretch. The blocks in a stretch are counted.
func TestStretches(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, src, want string }{
		{"no loop", `func f() { if ok() { mark() }; mark() }`, "1 1 1"},
		{"a loop", `func f() { mark(); for ok() { mark() }; mark() }`, "1 2 1"},
		{"left in the middle", `func f() { for { mark(); if ok() { mark(); break }; mark() }; mark() }`, "1 2 1"},
		{"two loops", `func f() { for ok() { mark() }; for ok() { mark() } }`, "1 2 2 1"},
		{"nested", `func f() { for ok() { mark(); for ok() { mark() }; mark() }; mark() }`, "1 5 1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			fn := markedBlock(t, test.src).Parent()
			var sizes []string
			behind := make(map[*ssa.BasicBlock]int)
			for i, stretch := range cfg.Loops(fn).Stretches() {
				sizes = append(sizes, strconv.Itoa(len(stretch)))
				for _, b := range stretch {
					behind[b] = i
				}
			}
			if got := strings.Join(sizes, " "); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
			for b, i := range behind {
				for _, succ := range b.Succs {
					if behind[succ] < i {
						t.Errorf("an edge leads back from %v to %v", b, succ)
					}
				}
			}
		})
	}
}

// TestDominating checks the conditions under which control always reaches the
// call of mark.
func TestDominating(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, src, want string }{
		{"none", `func f(a, b bool) { mark() }`, ""},
		{"if", `func f(a, b bool) { if a { mark() } }`, "a"},
		{"else", `func f(a, b bool) { if a { return } else { mark() } }`, "!a"},
		{"guard clause", `func f(a, b bool) { if a { return }; mark() }`, "!a"},
		{"negation", `func f(a, b bool) { if !a { mark() } }`, "!a"},
		{"and", `func f(a, b bool) { if a && b { mark() } }`, "b a"},
		{"or decides nothing alone", `func f(a, b bool) { if a || b { mark() } }`, ""},
		{"neither", `func f(a, b bool) { if a || b { return }; mark() }`, "!b !a"},
		{"behind a join", `func f(a, b bool) { if a { if b { ok() }; mark() } }`, "a"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := conditions(cfg.Dominating(markedBlock(t, test.src))); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestControl checks the conditions of the call of mark where several ways lead
// there. Groups are separated by ";", the ways of a group by "|".
func TestControl(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, src, want string }{
		{"or", `func f(a, b bool) { if a || b { mark() } }`, "a|b&!a"},
		{"whatever happens", `func f(a, b bool) { if a { ok() }; mark() }`, ""},
		{"loop condition decides nothing", `func f(a, b bool) { for a { mark() } }`, ""},
		{"search loop", `func f(a []int, b bool) { for range a { if b { return } }; mark() }`, "!b found"},
		{"first condition of a loop over a number", `func f(n int, b bool) { for range n { if b { mark() } } }`, "b"},
		{"first condition of an endless loop", `func f(b bool) { for { if b { mark() } } }`, "b"},
		{"first condition ends an endless loop", `func f(b bool) { for { if b { return }; mark() } }`, ""},
		{"return behind an error", `func f(a, b bool) { if e := err(); e != nil { return }; mark() }`, "!(err() != nil:error)"},
		{"some ways end", `func f(a, b bool) error { if a { if b { return nil } }; mark(); return nil }`, "!a|!b&a"},
		{"some ways fail", `func f(a, b bool) error { if a { if b { return err() } }; mark(); return nil }`, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			control := cfg.NewControl(func(cfg.Branch) bool { return false }, func(ret *ssa.Return) bool {
				return len(ret.Results) > 0 && !isNil(ret.Results[0])
			})
			var all []string
			for _, group := range control.Of(markedBlock(t, test.src)) {
				var ways []string
				for _, way := range group {
					var text []string
					for _, br := range way {
						s := conditions([]cfg.Condition{br.Condition})
						if br.Search {
							s += " found"
						}
						text = append(text, s)
					}
					ways = append(ways, strings.Join(text, "&"))
				}
				all = append(all, strings.Join(ways, "|"))
			}
			if got := strings.Join(all, "; "); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func isNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.IsNil()
}

// TestComparison checks that a constant is on the right, and that a condition
// that does not hold gives the opposite operator.
func TestComparison(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		`func f(a int) { if a < 3 { mark() } }`:             "a < 3",
		`func f(a int) { if 3 < a { mark() } }`:             "a > 3",
		`func f(a int) { if a < 3 { return }; mark() }`:     "a >= 3",
		`func f(a int) { if !(3 != a) { mark() } }`:         "a == 3",
		`func f(a *int) { if nil == a { mark() } }`:         "a == nil",
		`func f(a *int) { if a == nil { return }; mark() }`: "a != nil",
	} {
		cmp, ok := cfg.Dominating(markedBlock(t, src))[0].Comparison()
		got := ""
		if k, isConst := cmp.Y.(*ssa.Const); isConst {
			got = fmt.Sprintf("%s %s %s", cmp.X.Name(), cmp.Op, strings.Split(k.Name(), ":")[0])
		}
		if !ok || got != want {
			t.Errorf("%s: got %q, want %q", src, got, want)
		}
	}
}

// TestLeads checks that control stops at a bar and does not go back.
func TestLeads(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, src  string
		free, past bool
	}{
		{"in a line", `func f() { mark(); err(); ok() }`, true, false},
		{"around what bars", `func f() { mark(); if ok() { err() }; ok() }`, true, true},
		{"before", `func f() { ok(); mark() }`, false, false},
		{"before, in a loop", `func f() { for { ok(); mark() } }`, true, true},
		{"after a return", `func f() { if ok() { mark(); return }; ok() }`, false, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			pkg := source.SSA(t, helpers+test.src)
			from, oks := source.Calls(pkg, "mark")[0], source.Calls(pkg, "ok")
			to := oks[len(oks)-1]
			bars := func(instr ssa.Instruction) bool {
				call, ok := instr.(*ssa.Call)
				return ok && call.Call.StaticCallee().Name() == "err"
			}
			if free, past := cfg.Leads(from, to, nil), cfg.Leads(from, to, bars); free != test.free || past != test.past {
				t.Errorf("leads: %v, past what bars: %v, want %v, %v", free, past, test.free, test.past)
			}
		})
	}
}

func markedBlock(t *testing.T, src string) *ssa.BasicBlock {
	t.Helper()
	return source.Calls(source.SSA(t, helpers+src), "mark")[0].Block()
}

// conditions formats conditions like the source.
func conditions(all []cfg.Condition) string {
	var text []string
	for _, c := range all {
		s := c.Value.Name()
		if test, ok := c.Value.(*ssa.BinOp); ok {
			s = fmt.Sprintf("(%s %s %s)", operand(test.X), test.Op, operand(test.Y))
		}
		if !c.Holds {
			s = "!" + s
		}
		text = append(text, s)
	}
	return strings.Join(text, " ")
}

func operand(v ssa.Value) string {
	if call, ok := v.(*ssa.Call); ok {
		return call.Call.StaticCallee().Name() + "()"
	}
	return v.Name()
}

// TestSelect checks which case of a select leads to mark.
func TestSelect(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, src string
		want      int
	}{
		{"first case", `func f(a, b chan int) { select { case <-a: mark(); case <-b: } }`, 0},
		{"second case", `func f(a, b chan int) { select { case <-a: case b <- 1: mark() } }`, 1},
		{"default", `func f(a, b chan int) { select { case <-a: case <-b: default: mark() } }`, -1},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := markedBlock(t, test.src)
			got := -1
			for _, instr := range b.Parent().Blocks[0].Instrs {
				sel, ok := instr.(*ssa.Select)
				if !ok {
					continue
				}
				for i := range sel.States {
					if cfg.CaseBlock(sel, i) == b {
						got = i
					}
				}
			}
			if got != test.want {
				t.Errorf("case %d, want %d", got, test.want)
			}
		})
	}
}

// TestFailure checks whether the innermost condition of mark is an error.
func TestFailure(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]bool{
		`func f() { if err() != nil { mark() } }`:            true,
		`func f() { if nil == err() { return }; mark() }`:    true,
		`func f() { if err() == nil { mark() } }`:            false,
		`func f(a *int) { if a != nil { mark() } }`:          false,
		`func f(a error) { if a != err() { mark() } }`:       false,
		`func f() { if e := err(); !(e == nil) { mark() } }`: true,
	} {
		b := markedBlock(t, src)
		if _, got := cfg.Failure(cfg.Edge{From: b.Preds[0], To: b}); got != want {
			t.Errorf("%s: %v, want %v", src, got, want)
		}
	}
}
