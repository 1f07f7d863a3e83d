package goroutines

import (
	"cmp"
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
)

// A Fact says what becomes of the function values that the functions of a package, and
// of those that it imports, take and return.
type Fact struct {
	Fates []SlotFate // sorted by slot
}

// A Slot is a parameter or a result of a function, given by its library.Name. The
// receiver is parameter number 0.
type Slot struct {
	Func   string
	Index  int
	Result bool
}

// A Fate says what becomes of a function value, if everything that the package shows
// is of these kinds.
type Fate struct {
	// Unawaited says that it is called in a goroutine that nobody waits for.
	Unawaited bool
	// Becomes has the results that give it back, itself or wrapped in another function.
	Becomes []Slot
}

// A SlotFate is the fate of what is in a slot.
type SlotFate struct {
	Slot
	Fate
}

// AFact marks Fact as a fact.
func (*Fact) AFact() {}

func (f *Fact) String() string {
	var all []string
	for _, s := range f.Fates {
		all = append(all, s.String())
	}
	return strings.Join(all, "; ")
}

func (s Slot) String() string {
	if s.Result {
		return fmt.Sprintf("result %d of %s", s.Index, s.Func)
	}
	return fmt.Sprintf("argument %d of %s", s.Index, s.Func)
}

func (s SlotFate) String() string {
	var how []string
	if s.Unawaited {
		how = append(how, "runs in a goroutine that nobody waits for")
	}
	for _, b := range s.Becomes {
		how = append(how, "becomes "+b.String())
	}
	return s.Slot.String() + " " + strings.Join(how, ", ")
}

func compareSlots(a, b Slot) int {
	result := 0
	if a.Result != b.Result {
		if result = 1; b.Result {
			result = -1
		}
	}
	return cmp.Or(cmp.Compare(a.Func, b.Func), cmp.Compare(a.Index, b.Index), result)
}

// add notes the fact of an imported package.
func (p *Package) add(fact *Fact) {
	for _, s := range fact.Fates {
		p.fates[s.Slot] = s.Fate
	}
}

// fact returns the fates of the package's slots, and those of the packages that it
// imports.
func (p *Package) fact() *Fact {
	for _, fn := range p.Funcs {
		obj, ok := fn.Object().(*types.Func)
		if !ok || !ssair.Referable(obj) {
			continue
		}
		for i, param := range fn.Params {
			if isFunc(param.Type()) {
				p.decide(param, Slot{library.Name(obj), i, false})
			}
		}
	}
	for n := range p.runs {
		if slot, ok := n.(Slot); ok && slot.Result && p.declaresMethod(slot.Func) {
			p.decide(slot, slot)
		}
	}
	fact := new(Fact)
	for slot, fate := range p.fates {
		fact.Fates = append(fact.Fates, SlotFate{slot, fate})
	}
	slices.SortFunc(fact.Fates, func(a, b SlotFate) int { return compareSlots(a.Slot, b.Slot) })
	return fact
}

// declaresMethod reports whether the package declares the interface of the method with
// this library.Name. Only then it is expected to have all calls: the method is there for
// others to implement.
func (p *Package) declaresMethod(name string) bool { return interfaceMethod(p.Types, name) != nil }

// decide notes the fate of the node under the slot, and under the slots of the methods
// that its function implements.
func (p *Package) decide(n node, slot Slot) {
	fate, ok := p.fateOf(n)
	if !ok {
		return
	}
	if _, known := p.fates[slot]; !known {
		p.fates[slot] = fate
	}
	if slot.Result {
		return
	}
	for _, name := range p.implements[slot.Func] {
		p.fates[Slot{name, slot.Index, false}] = fate
	}
}

// fateOf returns the fate of a node. It is not ok if it may be waited for, or if the
// package shows nothing.
func (p *Package) fateOf(n node) (Fate, bool) {
	var fate Fate
	ok := true
	seen := map[node]bool{n: true}
	for work := []node{n}; len(work) > 0; work = work[1:] {
		at := work[0]
		if fn, isFn := at.(*ssa.Function); isFn && at != n && (p.IsEntryPoint(fn) || len(p.runs[fn]) == 0 || fn.Object() != nil && fn.Object().Exported()) {
			ok = ok && p.alone[fn]
		}
		if slot, isSlot := at.(Slot); isSlot && at != n {
			fate.Becomes = append(fate.Becomes, slot)
		}
		for _, r := range p.runs[at] {
			var next node
			switch r.how {
			case unawaited:
				fate.Unawaited = true
			case called:
				next = r.in
			case becomes:
				next = r.to
			default:
				ok = false
			}
			if next != nil && !seen[next] {
				seen[next] = true
				work = append(work, next)
			}
		}
	}
	slices.SortFunc(fate.Becomes, compareSlots)
	return fate, ok && (fate.Unawaited || len(fate.Becomes) > 0)
}

// implement links the methods of the package's types with those of the interfaces that
// they implement: what a method returns is what a call through the interface returns.
// The interfaces are those that a value of the type is converted to, those that facts tell
// of, and those that the package declares and takes functions from.
func (p *Package) implement(funcs []*ssa.Function) {
	p.implements = make(map[string][]string)
	for _, fn := range funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				v, ok := instr.(ssa.Value)
				if !ok {
					continue
				}
				if o := origin.Of(v); o.Kind == origin.Boxed {
					if iface, ok := v.Type().Underlying().(*types.Interface); ok {
						p.implementAll(o.X.Type(), iface)
					}
				}
			}
		}
	}
	for slot, fate := range p.fates {
		if slot.Result && fate.Unawaited {
			p.implementFact(slot)
		}
	}
	for n := range maps.Clone(p.runs) {
		if slot, ok := n.(Slot); ok && slot.Result {
			if m := interfaceMethod(p.Types, slot.Func); m != nil {
				p.linkAll(m)
			}
		}
	}
}

// implementAll links the methods of a type with those of an interface.
func (p *Package) implementAll(t types.Type, iface *types.Interface) {
	for m := range iface.Methods() {
		p.link(t, m)
	}
}

// link links the method of a type with the interface's method that it implements.
func (p *Package) link(t types.Type, m *types.Func) {
	obj, _, _ := types.LookupFieldOrMethod(t, true, m.Pkg(), m.Name())
	own, ok := obj.(*types.Func)
	if !ok || own.Pkg() != p.Types {
		return
	}
	name, of := library.Name(own), library.Name(m)
	if name == "" || of == "" || name == of || slices.Contains(p.implements[name], of) {
		return
	}
	p.implements[name] = append(p.implements[name], of)
	for i := range m.Signature().Results().Len() {
		if isFunc(m.Signature().Results().At(i).Type()) {
			p.addRun(Slot{name, i, true}, aRun{how: becomes, to: Slot{of, i, true}})
		}
	}
}

// implementFact links the package's types with the interface whose method the slot
// belongs to, and notes the fate of what the method returns.
func (p *Package) implementFact(slot Slot) {
	m := p.importedMethod(slot.Func)
	if m == nil {
		return
	}
	p.linkAll(m)
	p.addRun(slot, aRun{how: unawaited})
}

// linkAll links the package's types with the interface that declares the method.
func (p *Package) linkAll(m *types.Func) {
	iface := m.Signature().Recv().Type().Underlying().(*types.Interface)
	for _, t := range p.Resolver.Implementations(iface) {
		p.link(t, m)
	}
}

// importedMethod returns the method of an imported package's interface with this
// library.Name, or nil.
func (p *Package) importedMethod(name string) *types.Func {
	for _, imp := range p.Types.Imports() {
		if m := interfaceMethod(imp, name); m != nil {
			return m
		}
	}
	return nil
}

// interfaceMethod returns the method of the package's interface with this library.Name,
// or nil.
func interfaceMethod(pkg *types.Package, name string) *types.Func {
	recv, method, ok := strings.Cut(strings.TrimPrefix(name, "("), ").")
	iface, below := strings.CutPrefix(recv, pkg.Path()+".")
	if !ok || !below {
		return nil
	}
	obj, ok := pkg.Scope().Lookup(iface).(*types.TypeName)
	if !ok || !types.IsInterface(obj.Type()) {
		return nil
	}
	found, _, _ := types.LookupFieldOrMethod(obj.Type(), false, pkg, method)
	fn, _ := found.(*types.Func)
	return fn
}
