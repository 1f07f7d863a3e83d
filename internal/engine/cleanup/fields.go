package cleanup

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/contexts"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A context may be kept in a field of a struct:
//
//	s := &step{ctx: ctx, client: c}
//	defer s.client.Delete(s.ctx, pod)
//
// Each read of the field is another value. If the struct is made here, the reads stand
// for the context that is stored in it. Otherwise they stand for the first read of that
// field of that struct, if no function that may run in between stores to it.

// fieldKey is the key of the read that stands for all reads of a field.
type fieldKey struct {
	of    ssa.Value
	field *types.Var
}

// contentOfField returns the value that a read of a context from the field of a struct
// stands for in fn, nil if it is not known. The struct is given by its value or its
// address.
func (p *pkg) contentOfField(read ssa.Value, fn *ssa.Function, of ssa.Value, field *types.Var) ssa.Value {
	if fn == nil || field == nil || !contexts.IsContext(field.Type()) {
		return nil
	}
	of = p.structBehind(of, field)
	if made, ok := of.(*ssa.Alloc); ok {
		return p.storedInField(made, field)
	}
	if p.reassigns(fn, field) {
		return nil
	}
	key := fieldKey{of, field}
	if p.reads[key] == nil {
		p.reads[key] = read
	}
	return p.reads[key]
}

// fieldRead returns the field and the struct if the value is a read that stands for all
// reads of the field.
func (p *pkg) fieldRead(v ssa.Value) (field *types.Var, of ssa.Value) {
	field, of = origin.FieldOf(v)
	if field == nil || !contexts.IsContext(field.Type()) {
		return nil, nil
	}
	return field, p.structBehind(of, field)
}

// structBehind looks through variables that hold a copy of the struct, if nothing is
// stored in the field of the copy.
func (p *pkg) structBehind(v ssa.Value, field *types.Var) ssa.Value {
	for range maxCanon {
		v = p.canon(v, nil)
		if o := origin.Of(v); o.Kind == origin.Loaded && p.Index.Cell(o.X) != nil {
			v = o.X // the struct is passed by value
		}
		copied := p.Index.Cell(v)
		if copied == nil {
			return v
		}
		v = copied
		if p.storedInField(copied, field) != nil {
			return v
		}
		stores, captured := origin.StoresIn(copied)
		if captured > 0 || len(stores) != 1 {
			return v
		}
		v = stores[0].Val
		if o := origin.Of(v); o.Kind == origin.Loaded {
			v = o.X
		}
	}
	return v
}

// storedInField returns the only value that is stored in the field of a struct that the
// function makes, or nil.
func (p *pkg) storedInField(made *ssa.Alloc, field *types.Var) ssa.Value {
	var found ssa.Value
	for _, store := range p.Index.Field(field) {
		of := p.Index.Cell(p.canon(origin.Of(store.Addr).X, nil))
		switch {
		case of == nil && p.leadsTo(made.Parent(), store.Parent()):
			return nil // perhaps to this one
		case of != made:
		case found != nil:
			return nil
		default:
			found = store.Val
		}
	}
	return found
}

// reassigns reports whether fn, or a function that it calls, stores to the field of a
// struct that it has not made itself.
func (p *pkg) reassigns(fn *ssa.Function, field *types.Var) bool {
	return slices.ContainsFunc(p.Index.Field(field), func(store *ssa.Store) bool {
		return p.Index.Cell(p.canon(origin.Of(store.Addr).X, nil)) == nil && p.leadsTo(fn, store.Parent())
	})
}

// leadsTo reports whether calls lead from the function, or from the one that encloses
// it, to the other.
func (p *pkg) leadsTo(fn, to *ssa.Function) bool {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	reached := p.reached[fn]
	if reached == nil {
		reached = map[*ssa.Function]bool{fn: true}
		p.reached[fn] = reached
		work := []*ssa.Function{fn}
		for len(work) > 0 {
			for _, e := range p.Edges(work[0]) {
				if !reached[e.To] {
					reached[e.To] = true
					work = append(work, e.To)
				}
			}
			work = work[1:]
		}
	}
	return reached[to]
}
