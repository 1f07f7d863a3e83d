// Package cleanup finds clean-up that runs on a cancelled context: calls that have no
// effect because their context is done.
//
// An act is a call that has an effect outside of the process, with a context that it
// needs alive. The lineage of a context is the contexts that it is derived from: if one
// of them is done, the context is done, too. An ending is where the code cancels a
// context, or finds that it is done. A pause is a wait that a context ends.
//
// An act is reported in two cases. Either each path to it leads through an ending of its
// lineage. Or it undoes an earlier act after a pause, and the context that has ended the
// pause is in its lineage.
package cleanup

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/contexts"
	"github.com/operatorvet/operatorvet/internal/engine/place"
	"github.com/operatorvet/operatorvet/internal/engine/waiting"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
)

// Analyzer finds the clean-up of a package that has no effect. Its result is a
// *[Result].
var Analyzer = rule.Guard(&analysis.Analyzer{
	Name:       "operatorcleanup",
	Doc:        "find clean-up on contexts that are done",
	Run:        run,
	Requires:   []*analysis.Analyzer{contexts.Analyzer, waiting.Analyzer},
	ResultType: reflect.TypeFor[*Result](),
	FactTypes:  []analysis.Fact{new(Fact)},
})

// Result is what was found in a package, in source order.
type Result struct {
	Cleanups []Cleanup

	mu sync.Mutex // guards a
	a  *analyzer  // nil if there is no code to look at
}

// Bounded returns the functions that are analysed in part, in source order: they
// have too many calls to be compared in pairs.
func (r *Result) Bounded() []*ssa.Function {
	if r.a == nil {
		return nil
	}
	return r.a.bounded
}

// A Reason says why the context of a call is done.
type Reason uint8

const (
	// CancelledLater: a later defer statement than that of the call cancels the
	// context, and so it runs before the call.
	CancelledLater Reason = iota
	// CancelledBefore: the context is cancelled before the call.
	CancelledBefore
	// FoundDone: the code has found that the context is done.
	FoundDone
	// Interrupted: the context may have ended a wait of the function, and the call
	// undoes what was done before that wait.
	Interrupted
	// NotCalled: the call that undoes is skipped when the context ends the wait.
	NotCalled
)

// A Cleanup is a call that has no effect because its context is done.
type Cleanup struct {
	// Pos and End are the range of the callee's name. If the undo is not called,
	// they are those of the call that it would undo.
	Pos, End token.Pos
	Reason   Reason
	// Name is the callee, Context the name of the context at the call.
	Name, Context string
	// Argument is the argument that is the context, nil if the callee captures the
	// context, or gets it in a struct.
	Argument ast.Expr
	// What is the function below the call that has the effect, and At its place.
	// Both are zero if the callee itself has it.
	What string
	At   place.Place
	// By is the place of the ending or of the wait.
	By place.Place
	// Other is the call that is undone or, for NotCalled, the one that would undo.
	// OtherAt is its place. Both are zero if there is none.
	Other   string
	OtherAt place.Place
}

// pkg answers questions about the acts of the package under analysis. It caches the
// answers.
type pkg struct {
	*contexts.Package
	pass    *analysis.Pass
	waiting *waiting.Result

	nests    map[*ssa.Function]*cfg.Nest
	acts     map[*ssa.Function][]act
	pauses   map[*ssa.Function][]pause
	ends     map[*ssa.Function][]ending
	alive    map[*ssa.Function]map[*ssa.BasicBlock]cfg.Edge // see onlyAlive
	others   map[cfg.Edge][]ssa.CallInstruction             // see hasOtherWay
	derives  map[derivation]bool
	running  map[*ssa.Function][]Run
	reads    map[fieldKey]ssa.Value                   // see contentOfField
	reached  map[*ssa.Function]map[*ssa.Function]bool // see leadsTo
	imported map[*types.Func]*Fact
}

// analyzer collects the findings of a package.
type analyzer struct {
	*pkg
	found    []Cleanup
	reported map[ssa.CallInstruction]bool
	bounded  []*ssa.Function // with too many calls to be compared in pairs
}

func run(pass *analysis.Pass) (any, error) {
	p := &pkg{
		pass:     pass,
		Package:  pass.ResultOf[contexts.Analyzer].(*contexts.Package),
		waiting:  pass.ResultOf[waiting.Analyzer].(*waiting.Result),
		nests:    make(map[*ssa.Function]*cfg.Nest),
		acts:     make(map[*ssa.Function][]act),
		pauses:   make(map[*ssa.Function][]pause),
		ends:     make(map[*ssa.Function][]ending),
		alive:    make(map[*ssa.Function]map[*ssa.BasicBlock]cfg.Edge),
		others:   make(map[cfg.Edge][]ssa.CallInstruction),
		derives:  make(map[derivation]bool),
		running:  make(map[*ssa.Function][]Run),
		reads:    make(map[fieldKey]ssa.Value),
		reached:  make(map[*ssa.Function]map[*ssa.Function]bool),
		imported: make(map[*types.Func]*Fact),
	}
	if p.SSA == nil {
		return new(Result), nil
	}
	a := &analyzer{pkg: p, reported: make(map[ssa.CallInstruction]bool)}
	if !p.ForTests() {
		for _, fn := range p.Funcs {
			a.function(fn)
		}
	}
	a.exportFacts()
	slices.SortStableFunc(a.found, func(x, y Cleanup) int { return cmp.Compare(x.Pos, y.Pos) })
	return &Result{Cleanups: a.found, a: a}, nil
}

// function reports the acts of fn whose contexts are done.
func (a *analyzer) function(fn *ssa.Function) {
	for _, act := range a.actsOf(fn) {
		if d, ok := act.call.(*ssa.Defer); ok && (a.literalOf(d) != nil || a.deferred(d, act, nil)) {
			continue // deferredLiteral looks at the acts of a literal
		}
		if by, reason, done := a.doneAt(fn, act.call, act.ctx); done {
			a.report(fn, act, reason, by)
		}
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if d, ok := instr.(*ssa.Defer); ok {
				a.deferredLiteral(d)
			}
		}
	}
	if a.ReachOf(fn).Reach >= contexts.Given {
		a.undos(fn)
	}
}

// report reports an act, unless its call has been reported. It then returns nil.
func (a *analyzer) report(fn *ssa.Function, act act, reason Reason, by token.Pos) *Cleanup {
	if a.reported[act.call] {
		return nil
	}
	c := Cleanup{Reason: reason, Name: calledName(fn, act.call), By: a.Place(by)}
	if !act.at.IsZero() {
		c.What, c.At = act.what, act.at
	}
	c.Pos, c.End = contexts.NameRange(fn, act.call)
	c.Argument = contextArgument(fn, act)
	c.Context = contextName(c.Argument)
	if c.Argument != nil && !contexts.IsContext(act.ctx.Type()) {
		c.Context, c.Argument = "the context of "+c.Context, nil // a struct carries it
	}
	a.found = append(a.found, c)
	a.reported[act.call] = true
	return &a.found[len(a.found)-1]
}

// calledName returns the name of the callee for messages. A function value goes by the
// name of its variable.
func calledName(fn *ssa.Function, call ssa.CallInstruction) string {
	if c := contexts.CallExpr(fn, call); c != nil && callee.Static(call.Common()) == nil {
		switch f := ast.Unparen(c.Fun).(type) {
		case *ast.Ident, *ast.SelectorExpr:
			return types.ExprString(f)
		}
	}
	return contexts.CalleeName(call.Common())
}

// contextArgument returns the argument of the act's call that is the context, nil if
// there is none.
func contextArgument(fn *ssa.Function, act act) ast.Expr {
	i := slices.Index(callee.Args(act.call.Common()), act.ctx)
	if act.call.Common().Signature().Recv() != nil {
		i--
	}
	if call := contexts.CallExpr(fn, act.call); call != nil && 0 <= i && i < len(call.Args) {
		return call.Args[i]
	}
	return nil
}

// contextName returns the name of an act's context for messages.
func contextName(argument ast.Expr) string {
	switch argument := ast.Unparen(argument).(type) {
	case *ast.Ident:
		return argument.Name
	case *ast.SelectorExpr:
		return types.ExprString(argument)
	}
	return "its context"
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
