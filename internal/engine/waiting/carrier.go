package waiting

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
)

// carried finds the context that a value brings along: a list of options, a
// backoff policy, a request. The walk goes backward through variables, slices,
// append, the libraries' own constructors and this package's helpers. Never
// means that every part was seen and none has a context; Own, that a part is
// unknown.
func (p *pkg) carried(v ssa.Value) Signal {
	w := carrierWalk{p: p, seen: make(map[ssa.Value]bool)}
	w.visit(v)
	switch {
	case w.found:
		return w.best
	case w.unknown:
		return Own
	}
	return Never
}

type carrierWalk struct {
	p       *pkg
	seen    map[ssa.Value]bool
	best    Signal
	found   bool
	unknown bool
	calls   []*ssa.CallCommon // of the libraries, for computing totals
}

func (w *carrierWalk) visit(v ssa.Value) {
	if w.seen[v] {
		return
	}
	w.seen[v] = true
	if len(w.seen) > 200 {
		w.unknown = true
		return
	}
	switch v := v.(type) {
	case *ssa.Const:
	case *ssa.Phi:
		w.visitAll(v.Edges)
	case *ssa.MakeInterface:
		w.visit(v.X)
	case *ssa.ChangeType:
		w.visit(v.X)
	case *ssa.ChangeInterface:
		w.visit(v.X)
	case *ssa.Slice:
		w.visit(v.X)
	case *ssa.Extract:
		w.visit(v.Tuple)
	case *ssa.Alloc:
		w.visitAlloc(v)
	case *ssa.FreeVar:
		w.visitAll(w.p.bindings(v))
	case *ssa.UnOp:
		w.visitLoad(v)
	case *ssa.Call:
		w.visitCall(v.Common())
	default:
		w.unknown = true
	}
}

func (w *carrierWalk) visitAll(vs []ssa.Value) {
	if len(vs) == 0 {
		w.unknown = true
	}
	for _, v := range vs {
		w.visit(v)
	}
}

// visitAlloc visits what is stored in a variable, an array or a struct that the
// package makes itself.
func (w *carrierWalk) visitAlloc(alloc *ssa.Alloc) {
	for _, v := range w.p.stored(alloc) {
		w.visit(v)
	}
	for _, ref := range *alloc.Referrers() {
		if elem, ok := ref.(*ssa.IndexAddr); ok {
			for _, use := range *elem.Referrers() {
				if store, ok := use.(*ssa.Store); ok && store.Addr == elem {
					w.visit(store.Val)
				}
			}
		}
	}
}

func (w *carrierWalk) visitLoad(load *ssa.UnOp) {
	if load.Op != token.MUL {
		w.unknown = true
		return
	}
	switch addr := load.X.(type) {
	case *ssa.Alloc:
		w.visitAlloc(addr)
	case *ssa.FreeVar:
		w.visitAll(w.p.stored(addr))
	case *ssa.Global:
		w.visitAll(w.p.globals[addr])
	default:
		w.unknown = true
	}
}

func (w *carrierWalk) visitCall(call *ssa.CallCommon) {
	if b, ok := call.Value.(*ssa.Builtin); ok && b.Name() == "append" {
		w.visitAll(call.Args)
		return
	}
	fn := ssair.Callee(call)
	args := arguments(call)
	if i, ok := library.CarriedContext(fn); ok && i < len(args) {
		w.best = max(w.best, w.p.signal(args[i]))
		w.found = true
		return
	}
	if library.CarriesOn(fn) {
		w.calls = append(w.calls, call)
		for _, arg := range args {
			if mayCarry(arg.Type()) {
				w.visit(arg)
			}
		}
		return
	}
	if own := w.p.own(call.StaticCallee()); own != nil {
		w.visitAll(returned(own, 0))
		return
	}
	w.unknown = true
}

// mayCarry reports whether an argument of a library's constructor can bring a
// context: a type of such a library, or a list of them.
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
	return library.CarriesType(named.Obj())
}
