package waiting

import (
	"go/token"
	"go/types"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/contexts"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// The HTTP client resty retries a request that has failed, or that a condition wants
// to be retried. A chain of calls configures the client, often far from where a
// request is executed:
//
//	client := resty.New().SetRetryCount(n).AddRetryCondition(f)
//	_, err := client.R().SetContext(ctx).Get(url)
//
// Version 1 sleeps between the attempts even if the request's context is done, and it
// retries when a condition returns an error. From version 2 on, the request's context
// interrupts the sleep, and a condition that returns false ends the retries.

// A restyRequest is the execution of a request, with its configuration.
type restyRequest struct {
	version    library.RestyVersion
	call       *ssa.Call    // Get, Post, ...
	retryCount *ssa.Call    // SetRetryCount
	waits      [2]ssa.Value // SetRetryWaitTime, SetRetryMaxWaitTime
	conditions []*ssa.Call  // AddRetryCondition
	context    contexts.Signal
}

// restyCalls returns the calls of resty's methods in the package, by the first value
// of their chain.
func (p *pkg) restyCalls() map[ssa.Value][]*ssa.Call {
	if p.resty != nil {
		return p.resty
	}
	p.resty = make(map[ssa.Value][]*ssa.Call)
	if !p.importsResty() {
		return p.resty
	}
	for _, fn := range p.Funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				call, ok := instr.(*ssa.Call)
				if !ok {
					continue
				}
				if library.RestyMethod(callee.Static(call.Common())) == 0 {
					continue
				}
				if root := p.restyRoot(call.Call.Args[0], 0); root != nil {
					p.resty[root] = append(p.resty[root], call)
				}
			}
		}
	}
	return p.resty
}

func (p *pkg) importsResty() bool {
	for _, imp := range p.Types.Imports() {
		if library.RestyOf(imp) != 0 {
			return true
		}
	}
	return false
}

// restyRoot walks from a client or a request back to the call that makes it, through
// the chain, variables, fields and this package's own constructors.
func (p *pkg) restyRoot(v ssa.Value, depth int) ssa.Value {
	if depth > maxResty {
		return nil
	}
	from, ok := p.Index.Back(v, restySteps)
	if !ok {
		call, ok := v.(*ssa.Call)
		if !ok {
			return nil
		}
		if library.RestyMethod(callee.Static(call.Common())) == 0 || !types.Identical(v.Type(), call.Call.Args[0].Type()) {
			return v
		}
		from = call.Call.Args[:1]
	}
	var root ssa.Value
	for _, w := range from {
		r := p.restyRoot(w, depth+1)
		if r == nil || root != nil && r != root {
			return nil
		}
		root = r
	}
	return root
}

// maxResty bounds the backward walk to where a client is made. It takes the
// restySteps, besides those along the chain.
const (
	maxResty   = 24
	restySteps = origin.Choices | origin.Variables | origin.Globals | origin.Fields | origin.Results
)

// restyRequest returns the request that the call executes. It is not ok if the client
// is not known or does not retry.
func (p *pkg) restyRequest(call *ssa.Call) (*restyRequest, bool) {
	fn := callee.Static(call.Common())
	if !library.Of(fn).Executes {
		return nil, false
	}
	made, ok := p.restyRoot(call.Call.Args[0], 0).(*ssa.Call) // client.R()
	if !ok || len(made.Call.Args) == 0 {
		return nil, false
	}
	client := p.restyRoot(made.Call.Args[0], 0)
	if client == nil {
		return nil, false
	}
	r := &restyRequest{version: library.RestyMethod(fn), call: call, context: contexts.Never}
	for _, root := range []ssa.Value{client, made} {
		for _, c := range p.restyCalls()[root] {
			r.configure(p, c)
		}
	}
	if r.retryCount == nil {
		return nil, false
	}
	if n, ok := constants.Int(r.retryCount.Call.Args[1]); ok && n == 0 {
		return nil, false
	}
	return r, true
}

func (r *restyRequest) configure(p *pkg, c *ssa.Call) {
	args := c.Call.Args
	switch callee.Static(c.Common()).Name() {
	case "SetRetryCount":
		r.retryCount = c
	case "SetRetryWaitTime":
		r.waits[0] = args[1]
	case "SetRetryMaxWaitTime":
		r.waits[1] = args[1]
	case "AddRetryCondition", "AddRetryConditions", "SetRetryConditions":
		r.conditions = append(r.conditions, c)
	case "SetContext", "WithContext":
		r.context = p.Signal(args[1])
	}
}

// restyEnded reports whether the request's context, or a condition, ends the retries
// in the world.
func (p *pkg) restyEnded(r *restyRequest, w World) (byContext, byCondition bool) {
	if r.version > library.RestyV1 && p.given(r.context, w) {
		return true, false
	}
	if len(r.conditions) == 0 || r.version == library.RestyV1 && p.given(r.context, w) {
		return false, false // the request itself fails, and is repeated
	}
	for _, c := range r.conditions {
		vs := p.callbackResults(c.Call.Args[1], w)
		if vs.at(0) != False || r.version == library.RestyV1 && vs.at(1) != Nil {
			return false, false
		}
	}
	return false, true
}

// shortRetries reports whether the retries take no longer than most.
func (p *pkg) shortRetries(r *restyRequest, most time.Duration) bool {
	n, ok := constants.Int(r.retryCount.Call.Args[1])
	if !ok {
		return false
	}
	b := backoff{steps: int(min(n, maxSimulated)) + 1, duration: 100 * time.Millisecond, factor: 2}
	longest := 2 * time.Second
	for i, v := range r.waits {
		if v == nil {
			continue
		}
		d, ok := p.Duration(v)
		if !ok {
			return false
		}
		if i == 0 {
			b.duration = d
		} else {
			longest = d
		}
	}
	var total time.Duration
	for d := b.duration; b.steps > 1 && total <= most; b.steps-- {
		total += min(d, longest)
		d *= 2
	}
	return total <= most
}

// where returns the call that the finding is about. If the function that executes the
// request also configures the retries, it is the call that adds a condition, or else
// the one that sets their number. Otherwise it is the execution.
func (r *restyRequest) where() *ssa.Call {
	for _, c := range append(r.conditions, r.retryCount) {
		if c.Parent() == r.call.Parent() {
			return c
		}
	}
	return r.call
}

// restyFinding reports a request that is retried after cancellation.
func (a *analyzer) restyFinding(call *ssa.Call, r contexts.Reaching) {
	req, ok := a.restyRequest(call)
	if !ok || req.context == contexts.Detached || req.context == contexts.Other || a.shortRetries(req, a.Options.MaxWait) {
		return
	}
	for _, w := range []World{ScopeDone, AllDone} {
		if byContext, byCondition := a.restyEnded(req, w); byContext || byCondition {
			return
		}
	}
	where := req.where()
	if t := (Tolerance{Brief: a.shortRetries(req, a.tolerableWait())}); !t.minds(r) {
		if t.leaves(r) {
			a.note(call.Parent(), &Unobserved{At: a.Place(where.Pos()), Tolerance: t})
		}
		return
	}
	f := Finding{Kind: Poll, Grade: Endless, Name: "the retry of " + callee.Static(call.Common()).Name(), Context: r.Context}
	f.Pos, f.End = contexts.NameRange(where.Parent(), where)
	f.Waits = []token.Pos{call.Pos()}
	for i, other := range a.findings {
		if other.Pos == f.Pos { // one configuration, several requests
			a.findings[i].Waits = append(other.Waits, call.Pos())
			return
		}
	}
	a.findings = append(a.findings, f)
}

// restyResults evaluates the results of the execution of a request.
func (f *execution) restyResults(call *ssa.Call) (Values, bool) {
	req, ok := f.p.restyRequest(call)
	if !ok {
		return nil, false
	}
	switch byContext, byCondition := f.p.restyEnded(req, f.world); {
	case byContext:
		return Values{Unknown, Cancelled}, true
	case byCondition:
		return Values{NonNil, Nil}, true // the last response, as if it were the answer
	}
	return nil, true
}
