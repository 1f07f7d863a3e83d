package waiting

import (
	"go/constant"
	"math"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
)

// A backoff is the value of a wait.Backoff, as far as it is constant.
type backoff struct {
	duration, cap  time.Duration
	factor, jitter float64
	steps          int
}

// shortBackoffs are the constants of client-go.
var shortBackoffs = map[string]backoff{
	"k8s.io/client-go/util/retry.DefaultRetry":   {steps: 5, duration: 10 * time.Millisecond, factor: 1, jitter: 0.1},
	"k8s.io/client-go/util/retry.DefaultBackoff": {steps: 4, duration: 10 * time.Millisecond, factor: 5, jitter: 0.1},
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

func (b backoff) longest() time.Duration {
	_, longest := b.pauses()
	return longest
}

// backoffOf evaluates a wait.Backoff: a literal, a package variable, or a copy
// of one of them that is then changed.
func (p *pkg) backoffOf(v ssa.Value) (backoff, bool) {
	load, ok := v.(*ssa.UnOp)
	if !ok {
		return backoff{}, false
	}
	switch addr := load.X.(type) {
	case *ssa.Global:
		if b, ok := shortBackoffs[addr.Pkg.Pkg.Path()+"."+addr.Name()]; ok {
			return b, true
		}
		if addr.Pkg != p.ssa || p.ssa.Func("init") == nil {
			return backoff{}, false
		}
		// A literal is built in place or, by newer versions of x/tools, elsewhere
		// and then copied.
		switch whole, fields := p.globals[addr], p.fieldStores[addr]; {
		case len(whole) == 1 && len(fields) == 0:
			return p.backoffOf(whole[0])
		case len(whole) > 0 || len(fields) == 0:
			return backoff{}, false
		default:
			var b backoff
			for _, store := range fields {
				if !b.setField(fieldOf(store.addr.X.Type(), store.addr.Field).Name(), store.val) {
					return backoff{}, false
				}
			}
			return b, true
		}
	case *ssa.Alloc:
		return p.backoffIn(addr)
	}
	return backoff{}, false
}

func (p *pkg) backoffIn(alloc *ssa.Alloc) (backoff, bool) {
	var b backoff
	switch whole := storesTo(alloc); len(whole) {
	case 0:
	case 1:
		base, ok := p.backoffOf(whole[0])
		if !ok {
			return b, false
		}
		b = base
	default:
		return b, false
	}
	for _, ref := range *alloc.Referrers() {
		field, ok := ref.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		for _, v := range storesTo(field) {
			if !b.setField(fieldOf(alloc.Type(), field.Field).Name(), v) {
				return b, false
			}
		}
	}
	return b, true
}

func (b *backoff) setField(name string, v ssa.Value) bool {
	c := make(evaluator).eval(v, 0)
	if c == nil || c.Kind() != constant.Int && c.Kind() != constant.Float {
		return false
	}
	f, _ := constant.Float64Val(c)
	switch name {
	case "Duration":
		b.duration = time.Duration(f)
	case "Cap":
		b.cap = time.Duration(f)
	case "Factor":
		b.factor = f
	case "Jitter":
		b.jitter = f
	case "Steps":
		b.steps = int(math.Min(f, math.MaxInt32))
	}
	return true
}

// shortPoll reports whether a library's poll or retry certainly waits no longer
// in all than the options let pass.
func (p *pkg) shortPoll(call *ssa.CallCommon, wait library.Wait) bool {
	args := arguments(call)
	if i, ok := wait.Args.Of(library.TimeoutArg, len(args)); ok {
		if d, ok := p.longestOf(args[i]); ok && d > 0 && d <= p.opts.MaxWait {
			return true
		}
	}
	if b, ok := p.policy(call, wait); ok {
		total, _ := b.pauses()
		return total <= p.opts.MaxWait
	}
	return p.triesOnce(args)
}

// longestOf returns the duration that is a constant, here or in all calls of
// the function whose parameter it is.
func (p *pkg) longestOf(v ssa.Value) (time.Duration, bool) {
	param, ok := v.(*ssa.Parameter)
	if !ok {
		return constDuration(v)
	}
	args := p.passed(param)
	longest := time.Duration(0)
	for _, arg := range args {
		d, ok := constDuration(arg)
		if !ok {
			return 0, false
		}
		longest = max(longest, d)
	}
	return longest, len(args) > 0
}

// triesOnce reports whether the receiver is a client of go-retryablehttp that
// this package only ever tells not to retry.
func (p *pkg) triesOnce(args []ssa.Value) bool {
	if len(args) == 0 || library.TypeName(args[0].Type()) != "github.com/hashicorp/go-retryablehttp.Client" {
		return false
	}
	set := false
	for field, vs := range p.fields {
		if field.Name() != "RetryMax" || field.Pkg().Path() != "github.com/hashicorp/go-retryablehttp" {
			continue
		}
		for _, v := range vs {
			if n, ok := constInt(v); !ok || n != 0 {
				return false
			}
			set = true
		}
	}
	return set
}

// policy returns how a retry paces itself, if that is constant.
func (p *pkg) policy(call *ssa.CallCommon, wait library.Wait) (backoff, bool) {
	args := arguments(call)
	if i, ok := wait.Args.Of(library.BackoffArg, len(args)); ok {
		return p.backoffOf(args[i])
	}
	i, ok := wait.Args.Of(library.CarrierArg, len(args))
	if !ok {
		return backoff{}, false
	}
	switch wait.Policy {
	case library.AvastOptions:
		return avastBackoff(p.options(args[i]))
	case library.CenkaltiBackOff:
		return cenkaltiBackoff(p.options(args[i]))
	}
	return backoff{}, false
}

// options returns the library calls that make up a list of options or a policy.
func (p *pkg) options(v ssa.Value) []*ssa.CallCommon {
	w := carrierWalk{p: p, seen: make(map[ssa.Value]bool)}
	w.visit(v)
	return w.calls
}

// avastBackoff computes the pace of avast/retry-go's options: ten attempts with
// a delay of 100 ms that doubles, unless they say otherwise.
func avastBackoff(options []*ssa.CallCommon) (backoff, bool) {
	b := backoff{steps: 10, duration: 100 * time.Millisecond, factor: 2}
	for _, option := range options {
		switch ssair.Callee(option).Name() {
		case "Attempts":
			n, ok := constInt(option.Args[0])
			if !ok {
				return b, false
			}
			if n == 0 {
				n = maxSimulated
			}
			b.steps = int(min(n, maxSimulated))
		case "Delay":
			d, ok := constDuration(option.Args[0])
			if !ok {
				return b, false
			}
			b.duration = d
		case "DelayType":
			if fn, ok := function(option.Args[0]); ok && fn.Name() == "FixedDelay" {
				b.factor = 1
			}
		case "UntilSucceeded":
			b.steps = maxSimulated
		}
	}
	return b, true
}

// cenkaltiBackoff computes the pace of a policy of cenkalti/backoff.
func cenkaltiBackoff(calls []*ssa.CallCommon) (backoff, bool) {
	b := backoff{steps: maxSimulated, factor: 1}
	for _, call := range calls {
		switch ssair.Callee(call).Name() {
		case "WithMaxRetries":
			n, ok := constInt(call.Args[1])
			if !ok {
				return b, false
			}
			b.steps = int(min(n, maxSimulated)) + 1
		case "NewConstantBackOff":
			d, ok := constDuration(call.Args[0])
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

// function returns the function that v is, if that is plain.
func function(v ssa.Value) (*ssa.Function, bool) {
	if conv, ok := v.(*ssa.ChangeType); ok {
		v = conv.X
	}
	fn, ok := v.(*ssa.Function)
	return fn, ok
}

func constInt(v ssa.Value) (int64, bool) {
	d, ok := constDuration(v)
	return int64(d), ok
}
