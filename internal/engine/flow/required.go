package flow

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
)

// A function that begins with a type assertion does nothing for objects of other types:
//
//	func (b *RoleBuilder) Update(object client.Object) error {
//		role := object.(*rbacv1.Role)
//
//	func (b *RoleBuilder) Update(object client.Object) error {
//		role, ok := object.(*rbacv1.Role)
//		if !ok {
//			return errors.New("no role")
//		}
//
// Where a loop calls the builders of several kinds, each only changes its own.

// required returns the tests of parameters that must succeed for the function to do
// anything.
func required(fn *ssa.Function) []TypeTest {
	if len(fn.Blocks) == 0 {
		return nil
	}
	var tests []TypeTest
	for _, instr := range fn.Blocks[0].Instrs {
		switch instr := instr.(type) {
		case *ssa.TypeAssert:
			i := paramIndex(fn, instr.X)
			name := library.TypeName(instr.AssertedType)
			if i < 0 || name == "" || isInterface(instr.AssertedType) || instr.CommaOk && !leavesUnless(instr) {
				continue
			}
			tests = append(tests, TypeTest{Param: i, Types: []string{name}})
		case ssa.CallInstruction:
			if !isPureCall(instr) {
				return tests // what it does, it does for all types
			}
		}
	}
	return tests
}

// paramIndex returns the index of the parameter that v is, or -1.
func paramIndex(fn *ssa.Function, v ssa.Value) int {
	p, ok := v.(*ssa.Parameter)
	if !ok {
		return -1
	}
	return slices.Index(fn.Params, p)
}

// leavesUnless reports whether the function only returns if the assertion, which is in
// its first block, fails.
func leavesUnless(assert *ssa.TypeAssert) bool {
	b := assert.Block()
	for _, succ := range b.Succs {
		c, ok := cfg.ConditionOf(cfg.Edge{From: b, To: succ})
		if c = c.Stripped(); ok && !c.Holds && assertion(c.Value) == assert {
			return onlyReturns(succ)
		}
	}
	return false
}

// onlyReturns reports whether the block does nothing but return.
func onlyReturns(b *ssa.BasicBlock) bool {
	for _, instr := range b.Instrs {
		if call, ok := instr.(ssa.CallInstruction); ok && !isPureCall(call) {
			return false
		}
	}
	_, returns := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
	return returns && len(b.Preds) == 1
}

// isPureCall reports whether the call is of a function that only computes something.
func isPureCall(call ssa.CallInstruction) bool {
	if _, builtin := call.Common().Value.(*ssa.Builtin); builtin {
		return true
	}
	fn := callee.Static(call.Common())
	if fn == nil || !library.TraitsOfPackage(fn.Pkg()).Has(library.Pure) {
		return false
	}
	known := library.Of(fn)
	return known.Write == nil && known.Watch == nil && known.Owner == nil && known.Effect == 0
}

// narrowed returns the call with the arguments for which the callee does anything. It
// returns false if there are none.
func (in *interp) narrowed(sum *Summary, s *callSite) (*callSite, bool) {
	for _, t := range sum.Requires {
		if t.Param >= len(s.args) || t.Path != (access.Path{}) {
			continue
		}
		arg := s.args[t.Param]
		fitting := slices.DeleteFunc(slices.Clone(arg.refs), func(r loc) bool {
			name := in.typeNameOf(r)
			return name != "" && !strings.HasPrefix(name, "$") && !slices.Contains(t.Types, name)
		})
		switch {
		case len(fitting) == len(arg.refs):
			continue
		case len(fitting) == 0 && !arg.unknown:
			return s, false
		}
		arg.refs = fitting
		other := *s
		other.args = slices.Clone(s.args)
		other.args[t.Param] = arg
		s = &other
	}
	return s, true
}

// noResults returns the results of a call that does nothing.
func noResults(s *callSite) []value {
	vals := make([]value, s.sig.Results().Len())
	for i := range vals {
		t := s.sig.Results().At(i).Type()
		vals[i].unknown = isBasic(t) || library.IsError(t)
	}
	return vals
}

// withReceiver returns the call for one of the methods that it may reach: with the
// receivers that have this method, and without what the methods of other receivers have
// made. A loop over builders pairs what one builds with the same one:
//
//	for _, b := range builders {
//		obj := b.Build()
//		b.Update(obj)
//	}
func (in *interp) withReceiver(c target, s *callSite) *callSite {
	if !s.instr.Common().IsInvoke() || c.obj == nil || len(c.recv) > 0 || len(s.args[0].refs) < 2 || types.IsInterface(recvType(c.obj)) {
		return s
	}
	all := s.args[0].refs
	name := library.TypeName(recvType(c.obj))
	own := slices.DeleteFunc(slices.Clone(all), func(r loc) bool { return in.typeNameOf(r) != name })
	if len(own) == 0 {
		return s
	}
	paired := *s
	paired.args = slices.Clone(s.args)
	paired.args[0].refs = own
	if len(own) == 1 {
		for i := range paired.args[1:] {
			arg := &paired.args[i+1]
			arg.refs = slices.DeleteFunc(slices.Clone(arg.refs), func(r loc) bool {
				return r.obj.maker != (loc{}) && r.obj.maker != own[0] && slices.Contains(all, r.obj.maker)
			})
		}
	}
	return &paired
}
