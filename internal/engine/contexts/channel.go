package contexts

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// madeChannel returns Never if nothing can close the channel or send on it while the
// function waits: the function only receives from it and closes it in a defer
// statement. Otherwise the channel escapes, and it returns Other.
func (p *Package) madeChannel(ch ssa.Value) Signal {
	for _, ref := range *ch.Referrers() {
		if d, ok := ref.(*ssa.Defer); ok {
			if !callee.IsBuiltin(&d.Call, "close") {
				return Other
			}
			continue
		}
		if v, ok := ref.(ssa.Value); ok && origin.Of(v).Kind == origin.Renamed {
			for _, use := range *v.Referrers() {
				if !p.receives(use) {
					return Other
				}
			}
		} else if !p.receives(ref) {
			return Other
		}
	}
	return Never
}

// receives reports whether the instruction only receives from the channel, in this
// goroutine.
func (p *Package) receives(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.Call:
		return p.WaitOf(callee.Static(instr.Common())) != nil
	case *ssa.Select, *ssa.DebugRef:
		return true
	case ssa.Value:
		return origin.Of(instr).Kind == origin.Received
	}
	return false
}

// IsTimer reports whether the channel is that of a timer or a ticker: one of times
// that can only be received from. A function that gets a context may close the one that it makes:
//
//	for range ticks(ctx, time.Minute) { … }
func IsTimer(ch ssa.Value) bool {
	t, ok := ch.Type().Underlying().(*types.Chan)
	if !ok || t.Dir() != types.RecvOnly || library.TypeOf(t.Elem()).Is != library.Time {
		return false
	}
	call := origin.Of(origin.Through(ch, origin.Renamed)).Call
	return call == nil || !slices.ContainsFunc(callee.Args(call.Common()), func(arg ssa.Value) bool { return IsContext(arg.Type()) })
}

// IsForeignTicker reports whether the channel is a field of another package's type,
// other than the types of package time. Such a channel may also be closed.
func IsForeignTicker(ch ssa.Value) bool {
	o := origin.Of(ch)
	if o.Kind != origin.Loaded {
		return false
	}
	field, of := origin.FieldOf(ch)
	if field == nil {
		return false
	}
	owner := library.NamedOf(of.Type())
	return owner != nil && owner.Obj().Pkg() != nil && library.TypeOf(owner).Is != library.Timer && owner.Obj().Pkg() != ch.Parent().Pkg.Pkg
}

// maxTimer bounds the steps from a channel back to its timer.
const maxTimer = 24

// TimerDuration returns the duration of the timer or ticker behind a channel.
func (p *Package) TimerDuration(ch ssa.Value) ssa.Value {
	for range maxTimer {
		switch o := origin.Of(ch); o.Kind {
		case origin.Result:
			args := callee.Args(o.Call.Common())
			if i, ok := library.Of(callee.Static(o.Call.Common())).Args.Of(library.DurationArg, len(args)); ok {
				return setTo(o.Call, args[i])
			}
			if len(args) != 1 { // ticker.C()
				return nil
			}
			ch = args[0]
		case origin.Renamed:
			ch = o.X
		case origin.Loaded:
			switch at := origin.Of(o.X); at.Kind {
			case origin.Field:
				ch = at.X
			case origin.Local, origin.Captured:
				vs := p.Index.Stored(o.X)
				if len(vs) != 1 {
					return nil
				}
				ch = vs[0]
			default:
				return nil
			}
		default:
			return nil
		}
	}
	return nil
}

// setTo returns the duration that a timer is set to again, the first if it is not, and
// nil if there are several.
//
//	timer := time.NewTimer(0)
//	for {
//		<-timer.C
//		timer.Reset(r.period)
//	}
func setTo(timer *ssa.Call, first ssa.Value) ssa.Value {
	last := first
	for _, ref := range *timer.Referrers() {
		call, ok := ref.(*ssa.Call)
		if !ok || callee.Static(call.Common()) == nil {
			continue
		}
		args := callee.Args(call.Common())
		i, ok := library.Of(callee.Static(call.Common())).Args.Of(library.DurationArg, len(args))
		if !ok || args[0] != ssa.Value(timer) || args[i] == first {
			continue
		}
		if last != first {
			return nil
		}
		last = args[i]
	}
	return last
}
