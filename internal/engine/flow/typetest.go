package flow

import (
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A TypeTest is a condition on the dynamic type of what is at Path under a
// parameter: it is one of Types. A helper for several kinds of objects makes and
// writes different things for them:
//
//	switch owner := owner.(type) {
//	case *v1.Backup: return cronJob(owner)
//	case *v1.Restore: return job(owner)
//	}
//
// With a Method, the condition is that this method of what is there returns Holds. It
// decides for the types whose method returns a constant:
//
//	func (*Thing) IsShared() bool { return false }
//
// With Some, the condition is that there is a list with elements. The options that made
// what is there decide it:
//
//	if len(w.rules) == 0 { return w.delete(ctx) }
//
// With none of these, the condition is that a parameter is not nil. A caller that passes
// nil decides it.
type TypeTest struct {
	Param  int
	Path   access.Path
	Types  []string // TypeNames
	Method string
	Holds  bool
	Some   bool
}

func (t TypeTest) equal(u TypeTest) bool {
	return t.Param == u.Param && t.Path == u.Path && slices.Equal(t.Types, u.Types) && t.Method == u.Method && t.Holds == u.Holds && t.Some == u.Some
}

// addTests returns the union of two lists of tests.
func addTests(tests, more []TypeTest) []TypeTest {
	for _, t := range more {
		if !slices.ContainsFunc(tests, t.equal) {
			tests = append(slices.Clip(tests), t)
		}
	}
	return tests
}

// typeTests returns the tests that must succeed for b to be reached.
func (in *interp) typeTests(fr *frame, b *ssa.BasicBlock) []TypeTest {
	var tests []TypeTest
	for _, g := range in.control.Of(b) {
		tests = append(tests, in.methodTests(fr, g)...)
		tests = append(tests, in.listTests(fr, g)...)
		operand, names := testedTypes(g)
		if operand == nil {
			operand = notNil(g)
		}
		if operand == nil {
			continue
		}
		v := in.reg(fr, operand)
		if len(v.refs) == 1 && v.refs[0].obj.param >= 0 && !v.unknown && (len(names) > 0 || v.refs[0].path.IsRoot()) {
			tests = append(tests, TypeTest{Param: v.refs[0].obj.param, Path: v.refs[0].path, Types: names})
		}
	}
	return tests
}

// methodTests returns the tests of a group without alternatives that ask a method
// without parameters of what is behind an interface.
func (in *interp) methodTests(fr *frame, g cfg.Group) []TypeTest {
	if len(g) != 1 {
		return nil
	}
	var tests []TypeTest
	for _, br := range g[0] {
		c := br.Stripped()
		call := origin.Of(c.Value).Call
		if call == nil || !call.Call.IsInvoke() || len(call.Call.Args) > 0 {
			continue
		}
		v := in.reg(fr, call.Call.Value)
		if len(v.refs) == 1 && v.refs[0].obj.param >= 0 && !v.unknown {
			tests = append(tests, TypeTest{Param: v.refs[0].obj.param, Path: v.refs[0].path, Method: call.Call.Method.Name(), Holds: c.Holds})
		}
	}
	return tests
}

// emptyList is the constant that a list without elements is.
const emptyList = "[]"

// isEmptySlice reports whether v, which slices an array of this function, is an empty
// list: []T{}, make([]T, 0).
func isEmptySlice(v ssa.Value) bool {
	slice, ok := v.(*ssa.Slice)
	if !ok || origin.Of(slice.X).Kind != origin.Local {
		return false
	}
	of, ok := library.Deref(slice.X.Type()).Underlying().(*types.Array)
	return ok && (of.Len() == 0 || isCutToNothing(slice))
}

// listTests returns the tests of a group without alternatives that ask whether a list in
// a field of the receiver has elements.
func (in *interp) listTests(fr *frame, g cfg.Group) []TypeTest {
	if len(g) != 1 || fr.fn.Signature.Recv() == nil {
		return nil
	}
	var tests []TypeTest
	for _, br := range g[0] {
		cmp, ok := br.Comparison()
		if !ok || !isLen(cmp.X) || !constants.IsZero(cmp.Y) || cmp.Op != token.NEQ && cmp.Op != token.GTR {
			continue
		}
		v := in.reg(fr, measured(cmp.X))
		if len(v.refs) != 1 || v.unknown || v.refs[0].obj.param != 0 {
			continue
		}
		if at := v.refs[0].path; at.First().Kind == access.Field && at.Parent().IsRoot() {
			tests = append(tests, TypeTest{Path: at, Some: true})
		}
	}
	return tests
}

// isEmptyList reports whether the list at r is certainly empty: code that is seen made
// what has it, and set it to an empty list or left it out.
func (in *interp) isEmptyList(st *heap, r loc) bool {
	o := r.obj
	if o.symbolic || o.opaque || o.handedOn || o.exposed || o.from != "" || st.live(o) || in.written(st, loc{o, access.Marked(access.Opaque)}) {
		return false
	}
	c := st.cells(o)
	if c == nil {
		return true
	}
	for at := r.path; !at.IsRoot(); {
		at = at.Parent()
		if v, ok := c.m[at]; ok && (v.unknown || len(v.refs) > 0) {
			return false
		}
	}
	v, ok := c.m[r.path]
	return !ok || v.isEmptyList()
}

// isEmptyList reports whether v certainly is nil or a list without elements.
func (v value) isEmptyList() bool { return !v.unknown && (v.null || v.constant == emptyList) }

// testedTypes returns the value whose type the group tests, and the TypeNames that
// it may have, one for each alternative.
func testedTypes(g cfg.Group) (operand ssa.Value, names []string) {
	for _, way := range g {
		i := slices.IndexFunc(way, func(br cfg.Branch) bool { return br.Holds && assertion(br.Value) != nil })
		if i < 0 {
			return nil, nil
		}
		assert := assertion(way[i].Value)
		name := library.TypeName(assert.AssertedType)
		if name == "" || operand != nil && assert.X != operand || isInterface(assert.AssertedType) {
			return nil, nil
		}
		operand, names = assert.X, addName(names, name)
	}
	return operand, names
}

// ofTypesAt returns what is left of the value that is stored: no objects of types that tests before
// the store exclude.
//
//	switch obj.(type) {
//	case *v1.Thing:
//		things = append(things, obj)
//	default:
//		others = append(others, obj)
//	}
func (in *interp) ofTypesAt(s *ssa.Store, v value) value {
	if len(v.refs) == 0 || !types.IsInterface(s.Val.Type()) {
		return v
	}
	tested := func(br cfg.Branch) (name string, holds bool) {
		c := br.Stripped()
		if assert := assertion(c.Value); assert != nil && assert.X == s.Val && !isInterface(assert.AssertedType) {
			return library.TypeName(assert.AssertedType), c.Holds
		}
		return "", false
	}
	for _, g := range in.control.Of(s.Block()) {
		if len(g) != 1 {
			continue
		}
		for _, br := range g[0] {
			if name, holds := tested(br); name != "" {
				v.refs = slices.DeleteFunc(slices.Clone(v.refs), func(r loc) bool {
					is := in.typeNameOf(r)
					return is != "" && (is == name) != holds
				})
			}
		}
	}
	return v
}

// notNil returns the value that must not be nil in any alternative of the group, or
// nil.
func notNil(g cfg.Group) (operand ssa.Value) {
	for i, way := range g {
		tested := slices.IndexFunc(way, func(br cfg.Branch) bool {
			v, isNil, ok := br.Nil()
			return ok && !isNil && (i == 0 || v == operand)
		})
		if tested < 0 {
			return nil
		}
		operand, _, _ = way[tested].Nil()
	}
	return operand
}

// assertion returns the type assertion if cond is its ok result, else nil.
func assertion(cond ssa.Value) *ssa.TypeAssert {
	if ok := origin.Of(cond); ok.Kind == origin.OK {
		assert, _ := ok.X.(*ssa.TypeAssert)
		return assert
	}
	return nil
}

// tests translates the callee's tests. Those that the call does not decide are
// tests of the caller's parameters. It returns false if a test certainly fails.
func (im *importer) tests(tests []TypeTest) (left []TypeTest, ok bool) {
	for _, t := range tests {
		v := im.value(Val{Refs: []Ref{{Param: t.Param, Path: t.Path}}})
		known, possible := im.decides(t, v)
		switch {
		case known && !possible:
			return nil, false
		case !known && len(v.refs) == 1 && v.refs[0].obj.param >= 0 && !v.unknown:
			t.Param, t.Path = v.refs[0].obj.param, v.refs[0].path
			left = append(left, t)
		}
	}
	return left, true
}

// decides reports whether it is known which types v may have, as far as the test
// asks, and whether the test may succeed.
func (im *importer) decides(t TypeTest, v value) (known, possible bool) {
	if t.Method != "" {
		return im.answered(t, v)
	}
	if t.Some {
		return im.filled(t)
	}
	if v.null || len(t.Types) == 0 {
		return v.null, !v.null
	}
	known = len(v.refs) > 0 && !v.unknown
	for _, r := range v.refs {
		name := im.in.typeNameOf(r)
		known = known && name != "" && !strings.HasPrefix(name, "$")
		possible = possible || slices.Contains(t.Types, name)
	}
	return known, possible
}

// filled is decides for a test whether a list has elements. It knows of lists that are
// certainly empty.
func (im *importer) filled(t TypeTest) (known, possible bool) {
	refs := im.s.args[t.Param].refs
	others := im.s.args[t.Param].unknown && !im.s.instr.Common().IsInvoke() // an interface's other methods are called apart
	if others || len(refs) == 0 {
		return false, true
	}
	empty := !slices.ContainsFunc(refs, func(r loc) bool { return !im.in.isEmptyList(im.s.st, r.under(t.Path)) })
	return empty, !empty
}

// answered is decides for a test with a method.
func (im *importer) answered(t TypeTest, v value) (known, possible bool) {
	known = len(v.refs) > 0 && !v.unknown
	for _, r := range v.refs {
		m, ok := im.in.method(im.in.typeNameOf(r), t.Method, r)
		if !ok || m.obj == nil {
			return false, true
		}
		answer := ""
		if sum := im.in.summaryOf(m.obj); sum != nil && len(sum.Results) == 1 && !sum.Results[0].Unknown {
			answer = sum.Results[0].Const
		}
		possible = possible || answer != strconv.FormatBool(!t.Holds)
	}
	return known, possible
}

// madeUnder notes that the object is made in a context where the tests succeed,
// or, if that is impossible, that it is not made there. One object stands for what
// is made in several contexts, so only tests common to all of them stay.
func (o *object) madeUnder(tests []TypeTest, possible bool) {
	switch {
	case !possible:
		o.infeasible = o.infeasible || !o.whenSet
	case o.infeasible || !o.whenSet:
		o.when, o.infeasible = tests, false
	default:
		o.when = slices.DeleteFunc(slices.Clone(o.when), func(t TypeTest) bool { return !slices.ContainsFunc(tests, t.equal) })
	}
	o.whenSet = true
}
