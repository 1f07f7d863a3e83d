package flow

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// Goroutines that run at the same time come to an end in any order. What they send to a
// channel is received in that order, and so is a list to which each of them appends:
//
//	for _, name := range names {
//		go func() { results <- check(name) }()
//	}
//	for range names {
//		all = append(all, <-results)
//	}
//
// The order of errors does not count: there are none in the end.

// arrived returns the label of the element that the instruction receives from a channel, if it
// receives in a loop what several goroutines send.
func (in *interp) arrived(fr *frame, instr ssa.Instruction, ch ssa.Value, elem types.Type) labels {
	l := in.innermost(instr.Block())
	made := makeOf(ch)
	if l == nil || made == nil || l.contains(made.Block()) || library.IsError(elem) || !in.severalSend(ch, made) {
		return nil
	}
	item := in.arrival(instr.Pos())
	item.Item, item.loop = true, l
	return in.left(fr, item)
}

// arrivedIn returns the label of the order of a list to which a goroutine appends, as others do
// at the same time.
func (in *interp) arrivedIn(fr *frame, s *callSite) labels {
	list := origin.Of(s.vals[0])
	if list.Kind != origin.Loaded || library.IsError(elemType(s.vals[0].Type())) {
		return nil
	}
	if _, isCaptured := list.X.(*ssa.FreeVar); !isCaptured || !in.runsAtOnce(fr.fn) {
		return nil
	}
	return in.left(fr, in.arrival(s.instr.Pos()))
}

func (in *interp) arrival(pos token.Pos) Label {
	l := Label{Kind: Arrival, What: "goroutine order", Pos: pos, End: pos + 1}
	l.At = in.at(pos)
	return l
}

// withoutOrderOfErrors returns the value of an instruction, without the order of goroutines if it
// is an error.
func withoutOrderOfErrors(instr ssa.Value, v value) value {
	isArrival := func(l Label) bool { return l.Kind == Arrival }
	if !slices.ContainsFunc(v.labels, isArrival) {
		return v
	}
	if _, isNamed := types.Unalias(instr.Type()).(*types.Named); isNamed && library.IsError(instr.Type()) {
		v.labels = v.labels.transform(func(l Label) (Label, bool) { return l, !isArrival(l) })
	}
	return v
}

// makeOf returns the instruction that makes a channel in the function that uses it, or nil.
func makeOf(ch ssa.Value) *ssa.MakeChan {
	if o := origin.Of(ch); o.Kind == origin.Loaded {
		variable, isLocal := o.X.(*ssa.Alloc)
		if !isLocal {
			return nil
		}
		if ch = origin.StoredOnce(variable); ch == nil {
			return nil
		}
	}
	made, _ := origin.Through(ch, origin.Renamed).(*ssa.MakeChan)
	return made
}

// severalSend reports whether goroutines that run at the same time send to the channel: one
// that a loop starts again and again, or two.
func (in *interp) severalSend(ch ssa.Value, made *ssa.MakeChan) bool {
	holders := []ssa.Value{made}
	if o := origin.Of(ch); o.Kind == origin.Loaded {
		holders = append(holders, o.X)
	}
	n := 0
	for len(holders) > 0 {
		holder := holders[0]
		holders = holders[1:]
		for _, ref := range origin.Users(holder) {
			switch ref := ref.(type) {
			case *ssa.ChangeType:
				holders = append(holders, ref)
			case *ssa.MakeClosure:
				fn := ref.Fn.(*ssa.Function)
				for i, b := range ref.Bindings {
					if b == holder && sendsTo(fn.FreeVars[i]) {
						n += in.startsOf(fn)
					}
				}
			case *ssa.Go:
				n += in.startsWith(ref, holder)
			}
		}
	}
	return n > 1
}

// startsWith returns how often the statement starts a function that sends to the channel which
// it gets: 2 for more than once.
func (in *interp) startsWith(stmt *ssa.Go, ch ssa.Value) int {
	fn := stmt.Call.StaticCallee()
	for i, arg := range stmt.Call.Args {
		if fn != nil && arg == ch && i < len(fn.Params) && sendsTo(fn.Params[i]) {
			return in.times(stmt)
		}
	}
	return 0
}

// sendsTo reports whether a function sends to the channel that a parameter or a captured
// variable of it is or holds.
func sendsTo(v ssa.Value) bool {
	for _, ref := range origin.Users(v) {
		switch ref := ref.(type) {
		case *ssa.Send:
			if ref.Chan == v {
				return true
			}
		case *ssa.UnOp:
			if ref.Op == token.MUL && sendsTo(ref) {
				return true
			}
		case *ssa.ChangeType:
			if sendsTo(ref) {
				return true
			}
		case *ssa.Select:
			for _, state := range ref.States {
				if state.Chan == v && state.Send != nil {
					return true
				}
			}
		}
	}
	return false
}

// runsAtOnce reports whether goroutines that run at the same time run the function literal.
func (in *interp) runsAtOnce(fn *ssa.Function) bool { return fn.Parent() != nil && in.startsOf(fn) > 1 }

// startsOf returns how many goroutines run the function literal: 2 for more than one.
func (in *interp) startsOf(fn *ssa.Function) int {
	if n, ok := in.started[fn]; ok {
		return n
	}
	in.started[fn] = 0 // where it captures itself
	n := 0
	for _, b := range fn.Parent().Blocks {
		for _, instr := range b.Instrs {
			if made, ok := instr.(*ssa.MakeClosure); ok && made.Fn == ssa.Value(fn) {
				n += in.startsOfValue(made)
			}
		}
	}
	in.started[fn] = min(n, 2)
	return in.started[fn]
}

// startsOfValue is startsOf for a value, also where a variable holds it.
func (in *interp) startsOfValue(v ssa.Value) int {
	n := 0
	for _, ref := range origin.Users(v) {
		switch ref := ref.(type) {
		case *ssa.Go:
			if ref.Call.Value == v {
				n += in.times(ref)
			}
		case *ssa.Call:
			if ref.Call.Value != v {
				n += in.startedBy(ref, v)
			}
		case *ssa.MakeClosure:
			fn := ref.Fn.(*ssa.Function)
			if i := slices.Index(ref.Bindings, v); i >= 0 && isCalled(fn.FreeVars[i]) {
				n += in.startsOf(fn)
			}
		case *ssa.ChangeType:
			n += in.startsOfValue(ref)
		case *ssa.Store:
			if _, isLocal := ref.Addr.(*ssa.Alloc); isLocal && ref.Val == v {
				n += in.startsOfValue(ref.Addr)
			}
		case *ssa.UnOp:
			if ref.Op == token.MUL {
				n += in.startsOfValue(ref)
			}
		}
	}
	return n
}

// startedBy returns in how many goroutines the function that is called runs its argument v.
func (in *interp) startedBy(call *ssa.Call, v ssa.Value) int {
	fn := callee.Static(&call.Call)
	body := callee.Body(&call.Call)
	i := slices.Index(call.Call.Args, v)
	switch known := library.Of(fn); {
	case known.StartsGoroutine:
		return in.times(call)
	case known.RunsAtOnce:
		return 2
	case body != nil && i >= 0 && i < len(body.Params):
		return in.startsOfParameter(body.Params[i])
	case body == nil && fn != nil:
		if sum := in.imported(fn); sum != nil && slices.Contains(sum.AtOnce, i) {
			return 2
		}
	}
	return 0
}

// startsOfParameter returns how many goroutines run the function that a caller passes: 2 for more than
// one.
func (in *interp) startsOfParameter(p *ssa.Parameter) int {
	n, ok := in.startedParams[p]
	if !ok {
		in.startedParams[p] = 0 // in recursion
		n = min(in.startsOfValue(p), 2)
		in.startedParams[p] = n
	}
	return n
}

// atOnce returns the indices of the parameters that the function runs in several goroutines.
func (in *interp) atOnce(fn *ssa.Function) (params []int) {
	for i, p := range fn.Params {
		if _, isFunc := p.Type().Underlying().(*types.Signature); isFunc && in.startsOfParameter(p) > 1 {
			params = append(params, i)
		}
	}
	return params
}

// isCalled reports whether a function calls what a captured variable of it holds.
func isCalled(v *ssa.FreeVar) bool {
	return slices.ContainsFunc(origin.Users(v), func(ref ssa.Instruction) bool {
		load, ok := ref.(*ssa.UnOp)
		return ok && load.Op == token.MUL && slices.ContainsFunc(*load.Referrers(), func(ref ssa.Instruction) bool {
			call, ok := ref.(*ssa.Call)
			return ok && call.Call.Value == load
		})
	})
}

// times returns 2 for an instruction that a loop of its function repeats, else 1.
func (in *interp) times(instr ssa.Instruction) int {
	if in.innermost(instr.Block()) != nil {
		return 2
	}
	return 1
}
