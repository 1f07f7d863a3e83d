package contexts

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// Carried returns the signal of the context inside a carrier: a list of options, a
// backoff policy, a request. It walks backward through variables, slices, append, the
// libraries' constructors and this package's helpers. It returns Never if it has seen
// every part and none has a context, and Other if some part is unknown.
func (p *Package) Carried(v ssa.Value) Signal {
	w := p.walkCarrier(v)
	switch {
	case w.found:
		return w.best
	case w.unknown:
		return Other
	}
	return Never
}

// Constructors returns the calls of library functions that build a list of options
// or a policy.
func (p *Package) Constructors(v ssa.Value) []*ssa.CallCommon { return p.walkCarrier(v).calls }

func (p *Package) walkCarrier(v ssa.Value) *carrierWalk {
	w := &carrierWalk{p: p, seen: make(map[ssa.Value]bool)}
	w.visit(v)
	return w
}

type carrierWalk struct {
	p       *Package
	seen    map[ssa.Value]bool
	best    Signal
	found   bool
	unknown bool
	calls   []*ssa.CallCommon // of the libraries' constructors
}

// carrierSteps lead from a carrier to its parts.
const carrierSteps = origin.Types | origin.Choices | origin.Slices | origin.Contents | origin.Variables | origin.Globals | origin.Results

func (w *carrierWalk) visit(v ssa.Value) {
	if w.seen[v] {
		return
	}
	w.seen[v] = true
	if len(w.seen) > origin.MaxWalk {
		w.unknown = true
		return
	}
	switch o := origin.Of(v); o.Kind {
	case origin.Constant:
		return
	case origin.Local: // a variable, an array or a struct
		w.visitAll(append(origin.StoredAt(v), origin.Elements(v.(*ssa.Alloc))...), false)
		return
	case origin.Loaded:
		if origin.Of(o.X).Kind == origin.Local {
			w.visit(o.X)
			return
		}
	case origin.Result:
		if w.call(o.Call.Common()) {
			return
		}
	}
	from, ok := w.p.Index.Back(v, carrierSteps)
	w.unknown = w.unknown || !ok
	w.visitAll(from, ok)
}

// visitAll visits the parts of a carrier. With required, a carrier without parts is
// unknown.
func (w *carrierWalk) visitAll(vs []ssa.Value, required bool) {
	if required && len(vs) == 0 {
		w.unknown = true
	}
	for _, v := range vs {
		w.visit(v)
	}
}

// call visits the arguments of a library's constructor. It returns false for calls of
// other functions.
func (w *carrierWalk) call(call *ssa.CallCommon) bool {
	fn := callee.Static(call)
	args := callee.Args(call)
	if i, ok := library.Of(fn).Args.Of(library.CarriedArg, len(args)); ok {
		w.best = max(w.best, w.p.Signal(args[i]))
		w.found = true
		return true
	}
	if fn == nil || !carries(fn) {
		return false
	}
	w.calls = append(w.calls, call)
	for _, arg := range args {
		if mayCarry(arg.Type()) {
			w.visit(arg)
		}
	}
	return true
}

// mayCarry reports whether an argument of a library's constructor can carry a
// context: its type belongs to such a library, or is a list of such types.
func mayCarry(t types.Type) bool {
	if s, ok := t.Underlying().(*types.Slice); ok && library.NamedOf(t) == nil {
		t = s.Elem()
	}
	named := library.NamedOf(t)
	if named == nil {
		return false
	}
	if _, ok := named.Underlying().(*types.Signature); ok && !strings.HasSuffix(named.Obj().Name(), "Option") {
		return false // a predicate, a delay function
	}
	return carries(named.Obj())
}

// carries reports whether obj belongs to a library whose constructors all have a
// record that says whether they put a context into what they make.
func carries(obj types.Object) bool {
	return library.TraitsOfPackage(obj.Pkg()).Has(library.CarriesContext)
}
