package mutant

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/operatorvet/operatorvet/internal/library"
)

// order looks for what fixes the order of a sequence.
func (s *search) order(n ast.Node) {
	switch n := n.(type) {
	case *ast.ExprStmt:
		// sort.Strings(x), slices.SortFunc(x, less)
		call := called(n.X)
		if call == nil {
			return
		}
		if _, f := s.callee(call); has(f.Args, library.SortedArg) {
			kind := "sort"
			if s.builds() {
				kind = "sortbuilder"
			}
			s.add(kind, n, s.text(n), s.drop(n))
		}
	case *ast.CallExpr:
		if fn, f := s.callee(n); f.OrdersResult {
			s.sorted(n, fn)
		}
	}
}

func has(slots library.Slots, role library.Slot) bool {
	_, ok := slots[role]
	return ok
}

// sorted adds the mutant that lists the same elements as a call in no particular
// order. A sorted copy of a sequence becomes a copy.
func (s *search) sorted(call *ast.CallExpr, fn *types.Func) {
	unsorted, ofSet := "", true
	switch fn.Name() {
	case "Sorted", "SortedFunc", "SortedStableFunc":
		if fn.Pkg().Path() != "slices" {
			return
		}
		// slices.Sorted(maps.Keys(m))
		from := called(call.Args[0])
		if ofSet = from != nil; ofSet {
			_, f := s.callee(from)
			ofSet = f.Source == library.MapOrder
		}
		name, edits := s.named("slices", call)
		kind := "sort"
		if ofSet {
			kind = "sortkeys"
		}
		edits = append(edits, s.replace(call, name+".Collect("+s.text(call.Args[0])+")"))
		s.add(kind, call, s.text(call), edits...)
		return
	case "List", "SortedList":
		// sets.List(set), set.List(), set.SortedList(less)
		if fn.Signature().Recv() != nil {
			unsorted = s.text(receiver(call))
		} else {
			unsorted = s.text(call.Args[0])
		}
	default:
		return
	}
	s.add("sortkeys", call, s.text(call), s.replace(call, "("+unsorted+").UnsortedList()"))
}

// builds reports whether the function around the node being looked at returns an
// API object, a part of one, or a Spec.
func (s *search) builds() bool {
	typ := s.function()
	if typ == nil || typ.Results == nil {
		return false
	}
	for _, field := range typ.Results.List {
		if isDesired(s.info.TypeOf(field.Type)) {
			return true
		}
	}
	return false
}

// isDesired reports whether values of the type belong to the desired state of
// objects. A list of objects of one kind rather is what was found.
func isDesired(t types.Type) bool {
	slice, list := types.Unalias(t).Underlying().(*types.Slice)
	if list {
		t = slice.Elem()
	}
	if isObject(t) {
		return !list || types.IsInterface(t)
	}
	named := library.NamedOf(t)
	if named == nil || named.Obj().Pkg() == nil {
		return false
	}
	if _, ok := named.Underlying().(*types.Struct); !ok {
		return false
	}
	name := named.Obj().Name()
	return library.IsAPI(named.Obj().Pkg().Path()) || strings.HasSuffix(name, "Spec") || strings.HasSuffix(name, "ApplyConfiguration")
}

// isObject reports whether values of the type are API objects.
func isObject(t types.Type) bool {
	for _, method := range []string{"GetObjectKind", "GetOwnerReferences"} {
		if m, _, _ := types.LookupFieldOrMethod(t, true, nil, method); m == nil {
			return false
		}
	}
	return true
}
