package waiting

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/rules/config"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
)

// pkg is what is known about the package under analysis as a whole.
type pkg struct {
	pass  *analysis.Pass
	opts  *config.Options
	types *types.Package
	ssa   *ssa.Package
	funcs []*ssa.Function

	// What is stored in the fields of structs and in package variables
	// anywhere in this package.
	fields  map[*types.Var][]ssa.Value
	writers map[*types.Var][]*ssa.Function
	// removers are the functions that delete keys from the map in a field.
	removers map[*types.Var][]*ssa.Function
	globals  map[*ssa.Global][]ssa.Value
	// fieldStores are the stores in the fields of package variables.
	fieldStores map[*ssa.Global][]fieldStore

	// closures lists where a function literal is instantiated, uses where a
	// function is used other than by calling it.
	closures map[*ssa.Function][]*ssa.MakeClosure
	uses     map[*ssa.Function][]ssa.Instruction
	// calls are the static calls of a function.
	calls map[*ssa.Function][]*ssa.CallCommon

	// named are the package's types, for the implementations of interfaces.
	named []types.Type

	resty     map[ssa.Value][]*ssa.Call
	captured  map[ssa.Value]bool // variables that a function literal stores in
	loops     map[*ssa.Function]*loopNest
	siteCache map[*ssa.Function][]site
	naps      map[*ssa.Function]Nap
	resultsIn [worlds]map[*ssa.Function]Values
	steady    map[*ssa.Function]bool // have the same results in all worlds
	asked     int                    // how often it mattered which world it is
	methods   map[implKey][]*ssa.Function
	imported  map[*types.Func]*WaitFact
	tables    map[*types.Func]*knownFunc
	scopes    map[*ssa.Function]string
	acts      map[*ssa.Function][]act
	pauses    map[*ssa.Function][]pause
	ends      map[*ssa.Function][]ending
	alive     map[*ssa.Function]map[*ssa.BasicBlock]edge
	others    map[edge][]ssa.CallInstruction
	derives   map[derivation]bool
}

// A fieldStore is a store in a field of a package variable.
type fieldStore struct {
	addr *ssa.FieldAddr
	val  ssa.Value
}

func newPkg(pass *analysis.Pass, ir *ssair.Package) *pkg {
	p := &pkg{
		pass:        pass,
		opts:        rule.OptionsOf(pass),
		types:       pass.Pkg,
		ssa:         ir.SSA,
		funcs:       ir.Funcs,
		fields:      make(map[*types.Var][]ssa.Value),
		writers:     make(map[*types.Var][]*ssa.Function),
		removers:    make(map[*types.Var][]*ssa.Function),
		globals:     make(map[*ssa.Global][]ssa.Value),
		fieldStores: make(map[*ssa.Global][]fieldStore),
		closures:    make(map[*ssa.Function][]*ssa.MakeClosure),
		uses:        make(map[*ssa.Function][]ssa.Instruction),
		calls:       make(map[*ssa.Function][]*ssa.CallCommon),
		captured:    make(map[ssa.Value]bool),
		loops:       make(map[*ssa.Function]*loopNest),
		siteCache:   make(map[*ssa.Function][]site),
		naps:        make(map[*ssa.Function]Nap),
		steady:      make(map[*ssa.Function]bool),
		methods:     make(map[implKey][]*ssa.Function),
		imported:    make(map[*types.Func]*WaitFact),
		tables:      make(map[*types.Func]*knownFunc),
		scopes:      make(map[*ssa.Function]string),
		acts:        make(map[*ssa.Function][]act),
		pauses:      make(map[*ssa.Function][]pause),
		ends:        make(map[*ssa.Function][]ending),
		alive:       make(map[*ssa.Function]map[*ssa.BasicBlock]edge),
		others:      make(map[edge][]ssa.CallInstruction),
		derives:     make(map[derivation]bool),
	}
	for w := range p.resultsIn {
		p.resultsIn[w] = make(map[*ssa.Function]Values)
	}
	for _, fn := range ir.Funcs {
		p.index(fn)
	}
	if init := ir.SSA.Func("init"); init != nil {
		p.index(init)
	}
	scope := pass.Pkg.Scope()
	for _, name := range scope.Names() {
		if tn, ok := scope.Lookup(name).(*types.TypeName); ok && !tn.IsAlias() && !ssair.InTest(pass.Fset, tn.Pos()) {
			if _, isInterface := tn.Type().Underlying().(*types.Interface); !isInterface {
				p.named = append(p.named, tn.Type())
			}
		}
	}
	return p
}

// index enters the stores and the uses of functions in fn.
func (p *pkg) index(fn *ssa.Function) {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Store:
				switch addr := instr.Addr.(type) {
				case *ssa.FieldAddr:
					if f := fieldOf(addr.X.Type(), addr.Field); f != nil {
						p.fields[f] = append(p.fields[f], instr.Val)
						p.writers[f] = append(p.writers[f], fn)
					}
					if g, ok := addr.X.(*ssa.Global); ok {
						p.fieldStores[g] = append(p.fieldStores[g], fieldStore{addr, instr.Val})
					}
				case *ssa.Global:
					p.globals[addr] = append(p.globals[addr], instr.Val)
				}
			case *ssa.Call:
				if b, ok := instr.Call.Value.(*ssa.Builtin); ok && b.Name() == "delete" {
					if addr := loadedField(instr.Call.Args[0]); addr != nil {
						f := fieldOf(addr.X.Type(), addr.Field)
						p.removers[f] = append(p.removers[f], fn)
					}
				}
			case *ssa.MakeClosure:
				lit := instr.Fn.(*ssa.Function)
				p.closures[lit] = append(p.closures[lit], instr)
				if target := p.own(lit); target != nil && target != lit {
					p.uses[target] = append(p.uses[target], instr) // method value
				}
			}
			p.indexUses(instr)
		}
	}
}

func (p *pkg) indexUses(instr ssa.Instruction) {
	var callee ssa.Value
	if call, ok := instr.(ssa.CallInstruction); ok {
		callee = call.Common().Value
		if target := p.own(call.Common().StaticCallee()); target != nil {
			p.calls[target] = append(p.calls[target], call.Common())
		}
	}
	for i, op := range instr.Operands(nil) {
		if fn, ok := (*op).(*ssa.Function); ok && !(i == 0 && *op == callee) {
			if target := p.own(fn); target != nil {
				p.uses[target] = append(p.uses[target], instr)
			}
		}
	}
}

// own returns the function written in this package that fn is, is an instance
// of, or wraps; nil if there is none.
func (p *pkg) own(fn *ssa.Function) *ssa.Function {
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
		fn = p.ssa.Prog.FuncValue(obj.Origin())
	}
	if fn == nil || fn.Pkg != p.ssa || len(fn.Blocks) == 0 {
		return nil
	}
	return fn
}

// fieldOf returns the field of the struct, or of the struct pointed to.
func fieldOf(t types.Type, i int) *types.Var {
	t = types.Unalias(t)
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok || i >= s.NumFields() {
		return nil
	}
	return s.Field(i).Origin()
}

// isStopFlag reports whether the field is a boolean beside a mutex that other
// functions than fn set: a flag by which one goroutine stops another.
func (p *pkg) isStopFlag(addr *ssa.FieldAddr, fn *ssa.Function) bool {
	field := fieldOf(addr.X.Type(), addr.Field)
	return field != nil && isBool(field.Type()) && isSharedWith(p.writers[field], fn) && isGuarded(addr)
}

// isStopEntry reports whether the lookup asks whether a key is still in a map
// beside a mutex, a field from which other functions than fn delete keys: an
// entry by which one goroutine stops another.
//
//	if _, running := t.running[key]; !running { return }
func (p *pkg) isStopEntry(lookup *ssa.Lookup, fn *ssa.Function) bool {
	addr := loadedField(lookup.X)
	return addr != nil && isSharedWith(p.removers[fieldOf(addr.X.Type(), addr.Field)], fn) && isGuarded(addr)
}

// isSharedWith reports whether there are writers, and fn is none of them.
func isSharedWith(writers []*ssa.Function, fn *ssa.Function) bool {
	return len(writers) > 0 && !slices.Contains(writers, fn)
}

// isGuarded reports whether the field is beside a mutex.
func isGuarded(addr *ssa.FieldAddr) bool {
	s := addr.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct)
	for i := range s.NumFields() {
		switch library.TypeName(s.Field(i).Type()) {
		case "sync.Mutex", "sync.RWMutex":
			return true
		}
	}
	return false
}

// loadedField returns the field that v is read from, or nil.
func loadedField(v ssa.Value) *ssa.FieldAddr {
	if load, ok := v.(*ssa.UnOp); ok && load.Op == token.MUL {
		addr, _ := load.X.(*ssa.FieldAddr)
		return addr
	}
	return nil
}

// bindings returns the values that a captured variable is bound to.
func (p *pkg) bindings(fv *ssa.FreeVar) []ssa.Value {
	fn := fv.Parent()
	var vs []ssa.Value
	for i, captured := range fn.FreeVars {
		if captured != fv {
			continue
		}
		for _, mc := range p.closures[fn] {
			vs = append(vs, mc.Bindings[i])
		}
	}
	return vs
}

// stored returns the values stored in a local variable, by its function and by
// the closures that capture it.
func (p *pkg) stored(addr ssa.Value) []ssa.Value {
	if fv, ok := addr.(*ssa.FreeVar); ok {
		var vs []ssa.Value
		for _, b := range p.bindings(fv) {
			vs = append(vs, p.stored(b)...)
		}
		return vs
	}
	alloc, ok := addr.(*ssa.Alloc)
	if !ok {
		return nil
	}
	return storesTo(alloc)
}

func storesTo(addr ssa.Value) []ssa.Value {
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
					vs = append(vs, storesTo(ref.Fn.(*ssa.Function).FreeVars[i])...)
				}
			}
		}
	}
	return vs
}

// returned returns the values that fn returns as its i-th result.
func returned(fn *ssa.Function, i int) []ssa.Value {
	var vs []ssa.Value
	for _, b := range fn.Blocks {
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && i < len(ret.Results) {
			vs = append(vs, ret.Results[i])
		}
	}
	return vs
}

// declaration returns the syntax of fn's body, which an SSA function without
// syntax lacks.
func declaration(fn *ssa.Function) *ast.BlockStmt {
	switch n := fn.Syntax().(type) {
	case *ast.FuncDecl:
		return n.Body
	case *ast.FuncLit:
		return n.Body
	}
	return nil
}
