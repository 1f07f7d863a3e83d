package origin

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// An Index records what a package stores in fields and variables, what its
// function literals capture, and how its functions are used. It is immutable.
type Index struct {
	pkg *ssa.Package

	fields   map[*types.Var][]*ssa.Store
	globals  map[*ssa.Global][]*ssa.Store
	parts    map[*ssa.Global][]*ssa.Store
	shared   map[*ssa.Global]bool // address taken
	closures map[*ssa.Function][]*ssa.MakeClosure
	uses     map[*ssa.Function][]ssa.Instruction
	calls    map[*ssa.Function][]ssa.CallInstruction
	methods  map[string]bool // names of the methods of the package's interfaces
}

// NewIndex indexes the functions of a package, function literals included, and
// the package's initialiser.
func NewIndex(pkg *ssa.Package, funcs []*ssa.Function) *Index {
	ix := &Index{
		pkg:      pkg,
		fields:   make(map[*types.Var][]*ssa.Store),
		globals:  make(map[*ssa.Global][]*ssa.Store),
		parts:    make(map[*ssa.Global][]*ssa.Store),
		shared:   make(map[*ssa.Global]bool),
		closures: make(map[*ssa.Function][]*ssa.MakeClosure),
		uses:     make(map[*ssa.Function][]ssa.Instruction),
		calls:    make(map[*ssa.Function][]ssa.CallInstruction),
		methods:  make(map[string]bool),
	}
	for _, fn := range funcs {
		ix.add(fn)
	}
	if init := pkg.Func("init"); init != nil {
		ix.add(init)
	}
	scope := pkg.Pkg.Scope()
	for _, name := range scope.Names() {
		if iface, ok := scope.Lookup(name).Type().Underlying().(*types.Interface); ok {
			for m := range iface.Methods() {
				ix.methods[m.Name()] = true
			}
		}
	}
	return ix
}

func (ix *Index) add(fn *ssa.Function) {
	var ops []*ssa.Value
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			var callee ssa.Value
			switch instr := instr.(type) {
			case *ssa.Store:
				ix.addStore(instr)
			case *ssa.MakeClosure:
				lit := instr.Fn.(*ssa.Function)
				ix.closures[lit] = append(ix.closures[lit], instr)
			case ssa.CallInstruction:
				callee = instr.Common().Value
				if target := ix.Own(instr.Common().StaticCallee()); target != nil {
					ix.calls[target] = append(ix.calls[target], instr)
				}
			}
			ops = instr.Operands(ops[:0])
			for i, op := range ops {
				switch v := (*op).(type) {
				case *ssa.Function:
					if target := ix.Own(v); target != nil && !(i == 0 && v == callee) {
						ix.uses[target] = append(ix.uses[target], instr)
					}
				case *ssa.Global:
					if !ix.shared[v] && !accesses(instr, v) {
						ix.shared[v] = true
					}
				}
			}
		}
	}
}

// accesses reports whether the instruction only reads or writes the content of
// the address, or of a field of it.
func accesses(instr ssa.Instruction, addr ssa.Value) bool {
	switch instr := instr.(type) {
	case *ssa.UnOp, *ssa.DebugRef:
		return true
	case *ssa.Store:
		return instr.Addr == addr && instr.Val != addr
	case *ssa.FieldAddr:
		return !slices.ContainsFunc(*instr.Referrers(), func(use ssa.Instruction) bool { return !accesses(use, instr) })
	}
	return false
}

func (ix *Index) addStore(store *ssa.Store) {
	switch addr := store.Addr.(type) {
	case *ssa.FieldAddr:
		if f := structField(addr.X.Type(), addr.Field); f != nil {
			ix.fields[f] = append(ix.fields[f], store)
		}
		if g, ok := addr.X.(*ssa.Global); ok {
			ix.parts[g] = append(ix.parts[g], store)
		}
	case *ssa.Global:
		ix.globals[addr] = append(ix.globals[addr], store)
	}
}

// Own returns the function with a body in the package that fn is, instantiates
// or wraps. It returns nil if there is none.
func (ix *Index) Own(fn *ssa.Function) *ssa.Function {
	if fn == nil {
		return nil
	}
	if origin := fn.Origin(); origin != nil {
		fn = origin
	}
	if fn.Synthetic != "" && fn.Object() != nil {
		obj, ok := fn.Object().(*types.Func)
		if !ok {
			return nil
		}
		fn = ix.pkg.Prog.FuncValue(obj.Origin())
	}
	if fn == nil || fn.Pkg != ix.pkg || len(fn.Blocks) == 0 {
		return nil
	}
	return fn
}

// Field returns the package's stores to a field.
func (ix *Index) Field(f *types.Var) []*ssa.Store { return ix.fields[f] }

// Fields calls visit for each field that the package stores to, in no particular
// order.
func (ix *Index) Fields(visit func(f *types.Var, stores []*ssa.Store)) {
	for f, stores := range ix.fields {
		visit(f, stores)
	}
}

// Global returns the stores to a package variable, including its initialisation.
// Parts returns the stores to fields of the struct that the variable holds.
func (ix *Index) Global(g *ssa.Global) []*ssa.Store { return ix.globals[g] }
func (ix *Index) Parts(g *ssa.Global) []*ssa.Store  { return ix.parts[g] }

// Shared reports whether the package takes the address of a package variable, or
// of a part of it. Then it may change in ways that the index does not see.
func (ix *Index) Shared(g *ssa.Global) bool { return ix.shared[g] }

// Closures returns the instructions that make a closure of a function literal or
// of the wrapper of a method value.
func (ix *Index) Closures(fn *ssa.Function) []*ssa.MakeClosure { return ix.closures[fn] }

// Uses returns the instructions that use a function of the package other than by
// calling it. Calls returns the static calls of the function.
func (ix *Index) Uses(fn *ssa.Function) []ssa.Instruction      { return ix.uses[fn] }
func (ix *Index) Calls(fn *ssa.Function) []ssa.CallInstruction { return ix.calls[fn] }

// Bindings returns the values that a captured variable is bound to.
func (ix *Index) Bindings(fv *ssa.FreeVar) []ssa.Value {
	i := slices.Index(fv.Parent().FreeVars, fv)
	var vs []ssa.Value
	for _, mc := range ix.closures[fv.Parent()] {
		vs = append(vs, mc.Bindings[i])
	}
	return vs
}

// Cell returns the local variable whose address v is, or nil if v is something
// else. It looks through function literals that capture the variable.
func (ix *Index) Cell(v ssa.Value) *ssa.Alloc {
	for range maxCaptures {
		switch addr := v.(type) {
		case *ssa.Alloc:
			return addr
		case *ssa.FreeVar:
			bound := ix.Bindings(addr)
			if len(bound) != 1 {
				return nil
			}
			v = bound[0]
		default:
			return nil
		}
	}
	return nil
}

// Initial returns what a local variable is declared with, if that is all that is ever stored
// in it; else nil. A function literal may capture the variable:
//
//	interval := 5 * time.Second
//	group.Go(func() error { return wait.PollImmediate(interval, …) })
func (ix *Index) Initial(addr ssa.Value) ssa.Value {
	cell := ix.Cell(addr)
	if cell == nil || !IsVariable(cell) {
		return nil
	}
	for _, instr := range cell.Block().Instrs {
		if store, ok := instr.(*ssa.Store); ok && store.Addr == cell {
			return StoredOnce(cell)
		}
	}
	return nil
}

// maxCaptures bounds how deeply the function literals that capture a variable
// may be nested. Beyond it the variable is unknown.
const maxCaptures = 24

// Stored returns the values that a function, and the function literals in it,
// store in a local variable, given by its address.
func (ix *Index) Stored(addr ssa.Value) []ssa.Value {
	switch addr := addr.(type) {
	case *ssa.FreeVar:
		var vs []ssa.Value
		for _, b := range ix.Bindings(addr) {
			vs = append(vs, ix.Stored(b)...)
		}
		return vs
	case *ssa.Alloc:
		return StoredAt(addr)
	}
	return nil
}

// StoredAt returns the values stored at an address by the function that computes
// it, and by the function literals that capture it.
func StoredAt(addr ssa.Value) []ssa.Value {
	var vs []ssa.Value
	for _, ref := range *addr.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			if ref.Addr == addr {
				vs = append(vs, ref.Val)
			}
		case *ssa.MakeClosure:
			for i, b := range ref.Bindings {
				if b == addr {
					vs = append(vs, StoredAt(ref.Fn.(*ssa.Function).FreeVars[i])...)
				}
			}
		}
	}
	return vs
}

// StoredOnce returns the only value that is stored at an address, or nil if there is
// another number of them.
func StoredOnce(addr ssa.Value) ssa.Value {
	if stored := StoredAt(addr); len(stored) == 1 {
		return stored[0]
	}
	return nil
}

// StoredBelow reports whether the function that computes an address stores
// anything in a field or an element of its content.
func StoredBelow(addr ssa.Value) bool {
	return slices.ContainsFunc(*addr.Referrers(), func(ref ssa.Instruction) bool {
		part, ok := ref.(ssa.Value)
		if !ok {
			return false
		}
		o := Of(part)
		return o.Addr && o.X == addr && (len(StoredAt(part)) > 0 || StoredBelow(part))
	})
}

// Elements returns the values that a function stores in the elements of an array
// it makes. The array is given by its address; it may be that of a slice
// literal.
func Elements(array *ssa.Alloc) []ssa.Value {
	var vs []ssa.Value
	for _, ref := range *array.Referrers() {
		at, ok := ref.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, use := range *at.Referrers() {
			if store, ok := use.(*ssa.Store); ok && store.Addr == at {
				vs = append(vs, store.Val)
			}
		}
	}
	return vs
}

// Listed returns the elements of a slice literal, or of the variadic arguments
// of a call. It reports whether v is one of these.
func Listed(v ssa.Value) (elems []ssa.Value, ok bool) {
	slice, ok := v.(*ssa.Slice)
	if !ok || slice.Low != nil || slice.High != nil {
		return nil, false
	}
	array, ok := slice.X.(*ssa.Alloc)
	if !ok {
		return nil, false
	}
	return Elements(array), true
}

// entries returns the values that a function puts into a map it makes.
func entries(m *ssa.MakeMap) []ssa.Value {
	var vs []ssa.Value
	for _, ref := range *m.Referrers() {
		if update, ok := ref.(*ssa.MapUpdate); ok && update.Map == m {
			vs = append(vs, update.Value)
		}
	}
	return vs
}

// Returned returns the values that fn returns as result number i.
func Returned(fn *ssa.Function, i int) []ssa.Value {
	var vs []ssa.Value
	for _, b := range fn.Blocks {
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && i < len(ret.Results) {
			vs = append(vs, ret.Results[i])
		}
	}
	return vs
}

// Passed returns the arguments for a parameter, or nil unless the package
// certainly has all calls of the function. That holds if the function is not
// exported, if its only uses are calls, and if no interface of the package has a
// method with its name.
func (ix *Index) Passed(param *ssa.Parameter) []ssa.Value {
	if !ix.HasAllCalls(param.Parent()) {
		return nil
	}
	return ix.Arguments(param)
}

// HasAllCalls reports whether the package certainly has all calls of the function, as for
// Passed.
func (ix *Index) HasAllCalls(fn *ssa.Function) bool {
	obj := fn.Object()
	return obj != nil && !obj.Exported() && len(ix.uses[fn]) == 0 && !(fn.Signature.Recv() != nil && ix.methods[fn.Name()])
}

// Arguments returns the arguments that the static calls in the package have for a
// parameter. There may be other calls.
func (ix *Index) Arguments(param *ssa.Parameter) []ssa.Value {
	fn := param.Parent()
	i := slices.Index(fn.Params, param)
	var args []ssa.Value
	for _, call := range ix.calls[fn] {
		if i < len(call.Common().Args) {
			args = append(args, call.Common().Args[i])
		}
	}
	return args
}
