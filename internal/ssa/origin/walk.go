package origin

import (
	"golang.org/x/tools/go/ssa"
)

// Steps is a set of the kinds of backward steps that a walk takes. A value from
// which no step leads further is a leaf.
type Steps uint16

const (
	// Renames looks through changes of type that keep the content.
	Renames Steps = 1 << iota
	// boxes looks through conversions to an interface and back.
	boxes
	// Choices goes from a phi to each of its edges.
	Choices
	// Slices goes from a slice expression to its operand.
	Slices
	// Contents goes from a slice literal, a map literal or a call of append to
	// the elements.
	Contents
	// Variables goes from a read of a variable, also of a captured one, to every
	// value assigned to it.
	Variables
	// Globals does the same for package variables, and Fields for fields of
	// structs. Assignments in other packages are not seen.
	Globals
	Fields
	// Results goes from a static call of a function of the package to the values
	// that the function returns.
	Results

	// Types looks through all changes of type that keep the content.
	Types = Renames | boxes
)

// Back takes the steps that lead from v to other values: v is, contains or is
// made of one of them. It returns false if v is a leaf. It returns true and no
// values if a step applies but its result is unknown.
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

// Contents returns the values that an address may hold, if the steps lead there,
// and whether they do.
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

// stepOf has the steps that may lead on from a value of each kind, and stepAt
// those from the content of an address of each kind.
var (
	stepOf = [...]Steps{
		Renamed: Renames, Boxed: boxes, Asserted: boxes, Choice: Choices, Sliced: Slices,
		Captured: Variables, Loaded: Variables | Globals | Fields, Field: Fields,
		Local: Contents, Made: Contents, Result: Contents | Results, Computed: 0,
	}
	stepAt = [...]Steps{Local: Variables, Captured: Variables, Global: Globals, Field: Fields, Computed: 0}
)

// Appended returns the arguments of a call of append, or nil for other calls.
func Appended(call *ssa.Call) []ssa.Value {
	if (Origin{Call: call}).Builtin() != "append" {
		return nil
	}
	return call.Call.Args
}

// Values returns the values of stores.
func Values(stores []*ssa.Store) []ssa.Value {
	vs := make([]ssa.Value, len(stores))
	for i, s := range stores {
		vs[i] = s.Val
	}
	return vs
}

// MaxWalk is the usual limit of how many values a walk visits.
const MaxWalk = 200

// Walk goes back from v by the steps and calls leaf once for each leaf. It
// reports whether the walk was complete: it visited at most limit values, and
// the result of each step was known.
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
