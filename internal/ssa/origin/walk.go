package origin

import (
	"golang.org/x/tools/go/ssa"
)

// Steps are the ways by which a walk goes back from a value. A value at which no
// step leads on is a leaf.
type Steps uint16

const (
	// Renames looks through changes of type that keep the content.
	Renames Steps = 1 << iota
	// boxes looks through conversions to an interface and back.
	boxes
	// Choices goes to all that a phi may be.
	Choices
	// Slices goes from a slice to what it was cut from.
	Slices
	// Contents goes from a slice literal, a map literal and append to the elements.
	Contents
	// Variables goes from a variable that is read, also a captured one, to what is
	// assigned to it anywhere.
	Variables
	// Globals does so for package variables, Fields for fields of structs; what
	// other packages assign is not seen.
	Globals
	Fields
	// Results goes from a call to what the function of this package returns that
	// it calls by name.
	Results

	// Types looks through all changes of type that keep the content.
	Types = Renames | boxes
)

// Back takes the steps that lead from v to other values: v is, holds or is made
// of one of them. It returns false if v is a leaf, and no values if a step leads
// on but to nothing that is known.
func (ix *Index) Back(v ssa.Value, steps Steps) (from []ssa.Value, ok bool) {
	o := Of(v)
	if steps&stepOf[o.Kind] == 0 {
		return nil, false
	}
	switch o.Kind {
	case Renamed, Boxed, Asserted, Sliced:
		return []ssa.Value{o.X}, true
	case Choice:
		return o.Edges, true
	case Captured:
		return ix.Bindings(v.(*ssa.FreeVar)), true
	case Field:
		return Values(ix.fields[o.Field]), !o.Addr
	case Loaded:
		return ix.Contents(o.X, steps)
	case Local:
		return Elements(v.(*ssa.Alloc)), true
	case Made:
		if m, ok := v.(*ssa.MakeMap); ok {
			return entries(m), true
		}
	case Result:
		if args := Appended(o.Call); args != nil && steps&Contents != 0 {
			return args, true
		}
		if fn := ix.Own(o.Call.Call.StaticCallee()); fn != nil && steps&Results != 0 {
			return Returned(fn, o.Index), true
		}
	}
	return nil, false
}

// Contents returns the values that the place at an address may hold, as far as
// the steps lead there. It returns false if they do not.
func (ix *Index) Contents(addr ssa.Value, steps Steps) (from []ssa.Value, ok bool) {
	switch at := Of(addr); {
	case steps&stepAt[at.Kind] == 0:
		return nil, false
	case at.Kind == Global:
		return Values(ix.globals[addr.(*ssa.Global)]), true
	case at.Kind == Field:
		return Values(ix.fields[at.Field]), true
	}
	return ix.Stored(addr), true
}

// stepOf are the steps that may lead on from a value of a kind, stepAt from the
// content of a place of a kind.
var (
	stepOf = [...]Steps{
		Renamed: Renames, Boxed: boxes, Asserted: boxes, Choice: Choices, Sliced: Slices,
		Captured: Variables, Loaded: Variables | Globals | Fields, Field: Fields,
		Local: Contents, Made: Contents, Result: Contents | Results, Computed: 0,
	}
	stepAt = [...]Steps{Local: Variables, Captured: Variables, Global: Globals, Field: Fields, Computed: 0}
)

// Appended returns the arguments of append, nil of other calls.
func Appended(call *ssa.Call) []ssa.Value {
	if (Origin{Call: call}).Builtin() != "append" {
		return nil
	}
	return call.Call.Args
}

// Values returns the values that are stored.
func Values(stores []*ssa.Store) []ssa.Value {
	vs := make([]ssa.Value, len(stores))
	for i, s := range stores {
		vs[i] = s.Val
	}
	return vs
}

// MaxWalk is how many values a walk goes by unless its caller says otherwise.
const MaxWalk = 200

// Walk goes back from v by the steps and calls leaf for each value at which none
// leads on, once. It reports whether it came to an end everywhere: not if it was
// at more than limit values, or a step led to nothing that is known.
func (ix *Index) Walk(v ssa.Value, steps Steps, limit int, leaf func(ssa.Value)) (complete bool) {
	seen := make(map[ssa.Value]bool)
	complete = true
	var visit func(v ssa.Value)
	visit = func(v ssa.Value) {
		if seen[v] {
			return
		}
		if seen[v] = true; len(seen) > limit {
			complete = false
			return
		}
		from, ok := ix.Back(v, steps)
		if !ok {
			leaf(v)
			return
		}
		complete = complete && len(from) > 0
		for _, w := range from {
			visit(w)
		}
	}
	visit(v)
	return complete
}
