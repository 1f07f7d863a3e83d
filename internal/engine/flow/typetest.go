package flow

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A TypeTest is a condition on a caller's argument: it has one of some dynamic
// types. A helper that serves several kinds of objects makes and writes one thing
// for some of them, and another for others.
//
//	switch owner := owner.(type) {
//	case *v1.Backup: return cronJob(owner)
//	case *v1.Restore: return job(owner)
//	}
type TypeTest struct {
	Param int
	Path  access.Path
	Types []string // TypeNames
}

func (t TypeTest) equal(u TypeTest) bool {
	return t.Param == u.Param && t.Path == u.Path && slices.Equal(t.Types, u.Types)
}

// addTests returns the tests of both lists.
func addTests(tests, more []TypeTest) []TypeTest {
	for _, t := range more {
		if !slices.ContainsFunc(tests, t.equal) {
			tests = append(slices.Clip(tests), t)
		}
	}
	return tests
}

// typeTests returns the tests that have succeeded where b is reached.
func (in *interp) typeTests(fr *frame, b *ssa.BasicBlock) []TypeTest {
	var tests []TypeTest
	for _, g := range in.control.Of(b) {
		operand, names := testedTypes(g)
		if operand == nil {
			continue
		}
		v := in.reg(fr, operand)
		if len(v.refs) == 1 && v.refs[0].obj.param >= 0 && !v.unknown {
			tests = append(tests, TypeTest{v.refs[0].obj.param, v.refs[0].path, names})
		}
	}
	return tests
}

// testedTypes returns of which value the group knows the type, and which types
// it may be: one for each alternative.
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

// assertion returns the type assertion of which cond is the success, or nil.
func assertion(cond ssa.Value) *ssa.TypeAssert {
	if ok := origin.Of(cond); ok.Kind == origin.OK {
		assert, _ := ok.X.(*ssa.TypeAssert)
		return assert
	}
	return nil
}

// tests returns the callee's tests as tests of our caller's arguments. It fails
// if one of them certainly does.
func (im *importer) tests(tests []TypeTest) (left []TypeTest, ok bool) {
	for _, t := range tests {
		v := im.value(Val{Refs: []Ref{{Param: t.Param, Path: t.Path}}})
		known := len(v.refs) > 0 && !v.unknown
		possible := false
		for _, r := range v.refs {
			name := im.in.typeNameOf(r)
			known = known && name != "" && !strings.HasPrefix(name, "$")
			possible = possible || slices.Contains(t.Types, name)
		}
		switch {
		case known && !possible:
			return nil, false
		case !known && len(v.refs) == 1 && v.refs[0].obj.param >= 0 && !v.unknown:
			left = append(left, TypeTest{v.refs[0].obj.param, v.refs[0].path, t.Types})
		}
	}
	return left, true
}

// made notes that the object is made where the tests have succeeded, if at all.
// One object stands for what is made there in several contexts.
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
