package waiting

import (
	"go/constant"
	"go/types"
	"math"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A backoff is the value of a wait.Backoff. A field that is not constant is zero.
type backoff struct {
	duration, cap  time.Duration
	factor, jitter float64
	steps          int
}

// pauses returns the sum and the longest of the pauses between the steps.
func (b backoff) pauses() (total, longest time.Duration) {
	d := float64(b.duration)
	for range min(b.steps-1, maxSimulated) {
		this := time.Duration(d * (1 + b.jitter))
		longest = max(longest, this)
		total += this
		if total > time.Hour {
			break
		}
		if b.factor != 0 {
			d *= b.factor
		}
		if b.cap > 0 && d > float64(b.cap) {
			break // the library stops there
		}
	}
	return total, longest
}

func (b backoff) total() time.Duration {
	total, _ := b.pauses()
	return total
}

func (b backoff) longest() time.Duration {
	_, longest := b.pauses()
	return longest
}

// backoff evaluates a wait.Backoff that is constant.
func (p *pkg) backoff(v ssa.Value) (backoff, bool) {
	fields, ok := p.Constants.Fields(v)
	return backoffOf(fields), ok
}

// backoffOf returns the wait.Backoff with these fields.
func backoffOf(fields map[string]constant.Value) backoff {
	number := func(name string) float64 {
		c := fields[name]
		if c == nil {
			return 0
		}
		f, _ := constant.Float64Val(constant.ToFloat(c))
		return f
	}
	return backoff{
		duration: time.Duration(number("Duration")),
		cap:      time.Duration(number("Cap")),
		factor:   number("Factor"),
		jitter:   number("Jitter"),
		steps:    int(min(number("Steps"), math.MaxInt32)),
	}
}

// shortPoll reports whether a library's poll or retry certainly waits no longer in all
// than most.
func (p *pkg) shortPoll(call *ssa.CallCommon, wait *library.Wait, most time.Duration) bool {
	args := callee.Args(call)
	if i, ok := wait.Args.Of(library.TimeoutArg, len(args)); ok {
		if d, ok := p.longestOf(args[i]); ok && d > 0 && d <= most {
			return true
		}
	}
	if b, ok := p.policy(call, wait); ok {
		return b.total() <= most
	}
	return p.triesOnce(args)
}

// maxStated is the longest wait that is stated.
const maxStated = time.Hour

// bounded returns a wait that is known, and not longer than what is stated, or 0.
func bounded(d time.Duration) time.Duration {
	if d > maxStated {
		return 0
	}
	return d
}

// longestPoll returns how long a library's poll or retry waits at most, or 0 if that is not
// known.
func (p *pkg) longestPoll(call *ssa.CallCommon, wait *library.Wait) time.Duration {
	args := callee.Args(call)
	if i, ok := wait.Args.Of(library.TimeoutArg, len(args)); ok {
		if d, ok := p.longestOf(args[i]); ok && d > 0 {
			return bounded(d)
		}
	}
	b, _ := p.policy(call, wait)
	return bounded(b.total())
}

// longestOf returns the value of a constant duration. For a parameter it returns the
// longest that the function's callers pass, if all of them pass constants.
func (p *pkg) longestOf(v ssa.Value) (time.Duration, bool) {
	param, ok := v.(*ssa.Parameter)
	if !ok {
		return p.Duration(v)
	}
	args := p.Index.Passed(param)
	longest := time.Duration(0)
	for _, arg := range args {
		d, ok := p.Duration(arg)
		if !ok {
			return 0, false
		}
		longest = max(longest, d)
	}
	return longest, len(args) > 0
}

// triesOnce reports whether the receiver is a client of go-retryablehttp, and all that
// this package stores in the field RetryMax of such clients is zero.
func (p *pkg) triesOnce(args []ssa.Value) bool {
	if len(args) == 0 || library.TypeOf(args[0].Type()).Is != library.RetryClient {
		return false
	}
	client := library.NamedOf(args[0].Type()).Obj()
	set, once := false, true
	p.Index.Fields(func(field *types.Var, stores []*ssa.Store) {
		if field.Name() != "RetryMax" || field.Pkg() != client.Pkg() {
			return
		}
		for _, store := range stores {
			n, ok := constants.Int(store.Val)
			once = once && ok && n == 0
			set = true
		}
	})
	return set && once
}

// policy returns the backoff of a retry, if it is constant.
func (p *pkg) policy(call *ssa.CallCommon, wait *library.Wait) (backoff, bool) {
	args := callee.Args(call)
	if i, ok := wait.Args.Of(library.BackoffArg, len(args)); ok {
		if param := loadedParam(args[i]); param != nil {
			return p.longestBackoff(param)
		}
		return p.backoff(args[i])
	}
	i, ok := wait.Args.Of(library.CarrierArg, len(args))
	if !ok {
		return backoff{}, false
	}
	switch wait.Policy {
	case library.AvastOptions:
		return p.avastBackoff(p.Constructors(args[i]))
	case library.CenkaltiBackOff:
		return p.cenkaltiBackoff(p.Constructors(args[i]))
	}
	return backoff{}, false
}

// loadedParam returns the parameter that v is, or that is a pointer to v, or nil.
func loadedParam(v ssa.Value) *ssa.Parameter {
	if o := origin.Of(v); o.Kind == origin.Loaded {
		v = o.X
	}
	param, _ := v.(*ssa.Parameter)
	return param
}

// longestBackoff returns the longest of the backoffs that the callers in the package pass
// for the parameter, if all of them are constant.
func (p *pkg) longestBackoff(param *ssa.Parameter) (longest backoff, ok bool) {
	for _, arg := range p.Index.Passed(param) {
		b, known := p.backoffAt(arg)
		if !known {
			return backoff{}, false
		}
		if !ok || b.total() > longest.total() {
			longest, ok = b, true
		}
	}
	return longest, ok
}

// backoffAt evaluates a wait.Backoff that v is, or a local one that v points to, if it is
// constant.
func (p *pkg) backoffAt(v ssa.Value) (backoff, bool) {
	if v == nil {
		return backoff{}, false
	}
	if cell, isLocal := v.(*ssa.Alloc); isLocal {
		fields, ok := p.Constants.FieldsAt(cell)
		return backoffOf(fields), ok
	}
	return p.backoff(v)
}

// avastBackoff computes the backoff that the options of avast/retry-go make. The
// default is ten attempts, with a delay of 100 ms that doubles.
func (p *pkg) avastBackoff(options []*ssa.CallCommon) (backoff, bool) {
	b := backoff{steps: 10, duration: 100 * time.Millisecond, factor: 2}
	for _, option := range options {
		switch callee.Static(option).Name() {
		case "Attempts":
			n, ok := constants.Int(option.Args[0])
			if !ok {
				return b, false
			}
			if n == 0 {
				n = maxSimulated
			}
			b.steps = int(min(n, maxSimulated))
		case "Delay":
			d, ok := p.Duration(option.Args[0])
			if !ok {
				return b, false
			}
			b.duration = d
		case "DelayType":
			if fn := origin.Through(option.Args[0], origin.Renamed); origin.Of(fn).Kind == origin.Func && fn.Name() == "FixedDelay" {
				b.factor = 1
			}
		case "UntilSucceeded":
			b.steps = maxSimulated
		}
	}
	return b, true
}

// cenkaltiBackoff computes the backoff of a policy of cenkalti/backoff.
func (p *pkg) cenkaltiBackoff(calls []*ssa.CallCommon) (backoff, bool) {
	b := backoff{steps: maxSimulated, factor: 1}
	for _, call := range calls {
		switch callee.Static(call).Name() {
		case "WithMaxRetries":
			n, ok := constants.Int(call.Args[1])
			if !ok {
				return b, false
			}
			b.steps = int(min(n, maxSimulated)) + 1
		case "NewConstantBackOff":
			d, ok := p.Duration(call.Args[0])
			if !ok {
				return b, false
			}
			b.duration = d
		case "NewExponentialBackOff":
			b.duration, b.factor, b.jitter = 500*time.Millisecond, 1.5, 0.5
		}
	}
	return b, b.duration > 0
}
