package waiting

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/contexts"
	"github.com/operatorvet/operatorvet/internal/engine/goroutines"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// pkg answers questions about the waits of the package under analysis. It caches the
// answers, and is not safe for concurrent use.
type pkg struct {
	*contexts.Package
	goroutines *goroutines.Package
	pass       *analysis.Pass

	removers  map[*types.Var][]*ssa.Function // see removersOf
	resty     map[ssa.Value][]*ssa.Call      // see restyCalls
	captured  map[*ssa.Alloc]bool            // whether a function literal assigns to it
	nests     map[*ssa.Function]*cfg.Nest
	siteCache map[*ssa.Function][]site
	sleeps    map[*ssa.Function]Sleep
	imported  map[*types.Func]*WaitFact

	// returnsIn are the results of functions in each world, by return statement. An invariant function has
	// the same results in all worlds. It is one if queries, the number of questions
	// whose answer depends on the world, does not grow during its execution.
	returnsIn [worlds]map[*ssa.Function][]Values
	invariant map[*ssa.Function]bool
	queries   int
}

func newPkg(pass *analysis.Pass) *pkg {
	p := &pkg{
		pass:       pass,
		Package:    pass.ResultOf[contexts.Analyzer].(*contexts.Package),
		goroutines: pass.ResultOf[goroutines.Analyzer].(*goroutines.Package),
		captured:   make(map[*ssa.Alloc]bool),
		nests:      make(map[*ssa.Function]*cfg.Nest),
		siteCache:  make(map[*ssa.Function][]site),
		sleeps:     make(map[*ssa.Function]Sleep),
		invariant:  make(map[*ssa.Function]bool),
		imported:   make(map[*types.Func]*WaitFact),
	}
	for w := range p.returnsIn {
		p.returnsIn[w] = make(map[*ssa.Function][]Values)
	}
	return p
}

// nest returns the loop nest of a function.
func (p *pkg) nest(fn *ssa.Function) *cfg.Nest {
	n := p.nests[fn]
	if n == nil {
		n = cfg.Loops(fn)
		p.nests[fn] = n
	}
	return n
}

// isStopFlag reports whether v is a flag by which one goroutine stops another. That is
// a boolean field of a struct with a mutex, which functions other than fn set.
func (p *pkg) isStopFlag(v ssa.Value, fn *ssa.Function) bool {
	field, of := origin.FieldOf(v)
	if field == nil || !library.IsBool(field.Type()) || !isGuarded(of) {
		return false
	}
	stores := p.Index.Field(field)
	return len(stores) > 0 && !slices.ContainsFunc(stores, func(s *ssa.Store) bool { return s.Parent() == fn })
}

// isStopEntry reports whether one goroutine stops another by deleting a key of the map.
// The map is a field of a struct with a mutex, and functions other than fn delete keys
// from it.
//
//	if _, running := t.running[key]; !running { return }
func (p *pkg) isStopEntry(m ssa.Value, fn *ssa.Function) bool {
	field, of := origin.FieldOf(m)
	if field == nil || origin.Of(m).Kind != origin.Loaded {
		return false
	}
	removers := p.removersOf(field)
	return len(removers) > 0 && !slices.Contains(removers, fn) && isGuarded(of)
}

// removersOf returns the functions that delete keys from the map in a field.
func (p *pkg) removersOf(field *types.Var) []*ssa.Function {
	if p.removers == nil {
		p.removers = make(map[*types.Var][]*ssa.Function)
		for _, fn := range p.Funcs {
			for _, b := range fn.Blocks {
				for _, instr := range b.Instrs {
					if call, ok := instr.(*ssa.Call); ok && callee.IsBuiltin(&call.Call, "delete") {
						if f, _ := origin.FieldOf(call.Call.Args[0]); f != nil {
							p.removers[f] = append(p.removers[f], fn)
						}
					}
				}
			}
		}
	}
	return p.removers[field]
}

// isGuarded reports whether the struct, or the struct pointed to, has a mutex.
func isGuarded(v ssa.Value) bool {
	t := types.Unalias(v.Type())
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		if library.TypeOf(f.Type()).Is == library.Mutex {
			return true
		}
	}
	return false
}
