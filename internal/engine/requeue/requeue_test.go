package requeue

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
	"testing"
	"time"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
)

// header stands in for the package that declares Result, and for what
// reconcilers call.
const header = `package reconcile
	type Result struct { Requeue bool; RequeueAfter int }
	func (r *Result) IsZero() bool { return *r == Result{} }
	type Time struct { at int }
	func (t *Time) IsZero() bool { return t == nil }
	type Object struct { DeletionTimestamp *Time }
	func (o *Object) GetDeletionTimestamp() *Time { return o.DeletionTimestamp }
	var obj *Object
	var wait int
	var interval = 5
	var step func() (Result, error)
	func work() error
	type File struct { done bool }
	func look() *File
	func remove(f *File) error
	func some() (Result, error) { return Result{RequeueAfter: wait}, nil }
	func none() (Result, error) { return Result{}, nil }
	func after(d int) (Result, error) { return Result{Requeue: true, RequeueAfter: d}, nil }
	func failed(err error) (Result, error) { println(err.Error()); return Result{}, err }
	func finish(res Result, err error) (Result, error) { if err != nil { return Result{}, err }; return res, nil }
	func perhaps() (*Result, error) { if wait > 3 { return nil, nil }; return &Result{RequeueAfter: 7}, nil }
	func again() (Result, error) { if wait > 3 { return again() }; return Result{RequeueAfter: 2}, nil }
	func fail(err error) error { return err }
	func loop(o *Object) bool { return loop(o) }
	func often() int { if wait > 3 { return 5 }; return 4 }
	func seldom() int { if wait > 3 { return often() }; return 0 }
	func endless() int { if wait > 3 { return endless() }; return 5 }
	func isDeleted(o *Object) bool { return o.GetDeletionTimestamp() != nil }
	func Reconcile() (res Result, err error) {`

func TestAfter(t *testing.T) {
	t.Parallel()
	never, unknown := Outcomes{Empty: true}, Outcomes{UnknownInterval: true}
	five := Outcomes{Longest: 5}
	for body, want := range map[string]Outcomes{
		`return Result{RequeueAfter: 5}, nil`:                                                             five,
		`return Result{RequeueAfter: wait}, nil`:                                                          unknown,
		`return Result{RequeueAfter: interval}, nil`:                                                      five,
		`return Result{RequeueAfter: 0}, nil`:                                                             never,
		`return Result{}, nil`:                                                                            never,
		`return Result{Requeue: true}, nil`:                                                               {RateLimited: true},
		`defer work(); return Result{RequeueAfter: wait}, nil`:                                            unknown,
		`res.RequeueAfter = 5; return res, nil`:                                                           five,
		`res.Requeue = true; return`:                                                                      {RateLimited: true},
		`d := 3; if wait > 3 { d = 5 }; return Result{RequeueAfter: d}, nil`:                              five,
		`defer func() { res = Result{} }(); return Result{RequeueAfter: 5}, nil`:                          never,
		`defer func() { res, err = finish(res, err) }(); return Result{RequeueAfter: 5}, nil`:             five,
		`defer func() { res, err = finish(res, err) }(); return some()`:                                   unknown,
		`defer func() { if wait > 3 { res.RequeueAfter = 7 } }(); return Result{RequeueAfter: 5}, nil`:    {Longest: 7},
		`if wait > 3 { defer func() { res = Result{} }() }; return Result{RequeueAfter: 5}, nil`:          {Unknown: true},
		`change := func() { res = Result{} }; change(); return Result{RequeueAfter: 5}, nil`:              {Unknown: true},
		`if err = work(); err == nil { res.RequeueAfter = 5 }; defer work(); return`:                      five,
		`r, err := finish(Result{RequeueAfter: 5}, nil); return r, err`:                                   five,
		`return Result{RequeueAfter: wait * 60}, nil`:                                                     unknown,
		`d := wait; if d == 0 { d = 5 }; return Result{RequeueAfter: 60 * d}, nil`:                        {UnknownInterval: true, Longest: 300},
		`defer func() { println(res.Requeue) }(); return Result{RequeueAfter: 5}, nil`:                    five,
		`if err := work(); err != nil { return Result{}, err }; return Result{RequeueAfter: 5}, nil`:      five,
		`if wait == 0 { return Result{}, nil }; return Result{RequeueAfter: 5}, nil`:                      {Empty: true, Longest: 5},
		`if wait == 0 { return Result{RequeueAfter: 9}, nil }; return Result{RequeueAfter: 5}, nil`:       {Longest: 9},
		`return Result{RequeueAfter: often()}, nil`:                                                       five,
		`return Result{RequeueAfter: seldom()}, nil`:                                                      {Empty: true, Longest: 5},
		`return Result{RequeueAfter: endless()}, nil`:                                                     five,
		`r, err := after(5); return Result{RequeueAfter: r.RequeueAfter}, err`:                            five,
		`r, err := perhaps(); return Result{RequeueAfter: r.RequeueAfter}, err`:                           {UnknownInterval: true},
		`r, err := again(); r.Requeue = true; return Result{RequeueAfter: r.RequeueAfter}, err`:           {Empty: true, Longest: 2},
		`r := Result{Requeue: true}; return Result{RequeueAfter: r.RequeueAfter}, err`:                    never,
		`for err == nil { if wait == 3 { err = work() } }; return Result{RequeueAfter: 5}, err`:           {},
		`for wait > 0 { r := res; res = r }; return res, nil`:                                             never,
		`for wait > 0 { if err != nil { err = fail(err) } }; return res, err`:                             never,
		`d := 5; for wait > 0 { d = d + 0; if wait == 3 { d = 7 } }; return Result{RequeueAfter: d}, nil`: {UnknownInterval: true, Longest: 7},
		`if loop(obj) { return none() }; return after(5)`:                                                 {Empty: true, Longest: 5},
		`for wait > 0 { if wait == 3 { res.RequeueAfter = 5 } }; return res, nil`:                         {Empty: true, Longest: 5},

		`return some()`:                     unknown,
		`return none()`:                     never,
		`return after(5)`:                   five,
		`return after(wait)`:                unknown,
		`return again()`:                    {Unknown: true, Longest: 2},
		`return step()`:                     {Unknown: true},
		`r, err := after(5); return r, err`: five,
		`if err := work(); err != nil { return failed(err) }; return after(5)`: five,
		`return failed(work())`: never,
		`if r, err := step(); err != nil || !r.IsZero() { return r, err }; return after(5)`:                               {RateLimited: true, Longest: 5},
		`if r, err := some(); err != nil || r != (Result{}) { return r, err }; return after(5)`:                           {UnknownInterval: true, Longest: 5},
		`if r, err := step(); err != nil { return r, err } else if r.Requeue { return r, nil }; return after(5)`:          {RateLimited: true, Longest: 5},
		`if r, err := step(); err != nil { return r, err } else if r.RequeueAfter > 0 { return r, nil }; return after(5)`: {RateLimited: true, Longest: 5},
		`if r, err := perhaps(); r != nil { return *r, err }; return after(5)`:                                            {Longest: 7},
		`r, err := perhaps(); if err != nil { return none() }; return *r, nil`:                                            {Empty: true, Longest: 7},

		`if obj.GetDeletionTimestamp() != nil { return none() }; return after(5)`:        five,
		`if !obj.DeletionTimestamp.IsZero() { return none() }; return after(5)`:          {Empty: true, Longest: 5}, // not the IsZero of metav1
		`if isDeleted(obj) { return none() }; return after(5)`:                           five,
		`if obj.GetDeletionTimestamp() != nil { return after(5) }; return none()`:        never,
		`if obj == nil || obj.DeletionTimestamp != nil { return none() }; return none()`: never,

		// The error wraps the old value of the variable that it is stored in.
		`e := work(); defer func() { e = nil }(); e = fail(e); return Result{RequeueAfter: 5}, fail(e)`:                                                                  five,
		`e := work(); defer func() { e = nil }(); old := e; if wait > 3 { e = fail(old); return Result{RequeueAfter: 5}, fail(e) }; return Result{RequeueAfter: 5}, nil`: five,
	} {
		p, fn := load(t, body)
		if got := p.After(fn, nil); !reflect.DeepEqual(normal(got), normal(want)) {
			t.Errorf("%s: %+v, want %+v", body, got, want)
		}
	}
}

// TestAfterWork: only what is returned after a call of work counts.
func TestAfterWork(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]Outcomes{
		`if wait == 0 { return none() }; err = work(); return after(5)`:                                   {Longest: 5},
		`if err = work(); wait == 0 { return none() }; return after(5)`:                                   {Empty: true, Longest: 5},
		`if wait == 0 { return none() }; return after(5)`:                                                 {Empty: true, Longest: 5}, // no work at all
		`switch wait { case 0: return none(); case 1: err = work() }; return after(5)`:                    {Longest: 5},
		`return func() (Result, error) { if wait == 0 { return none() }; _ = work(); return after(5) }()`: {Longest: 5},
	} {
		p, fn := load(t, body)
		if got := p.After(fn, byName{}); !reflect.DeepEqual(normal(got), want) {
			t.Errorf("%s: %+v, want %+v", body, got, want)
		}
	}
}

// byName is the concern of functions with certain names. Its objects are a file.
type byName struct{}

func (byName) Role(call ssa.CallInstruction) Role {
	switch callee := call.Common().StaticCallee(); {
	case callee == nil:
		return Apart
	case callee.Name() == "work":
		return Makes
	case callee.Name() == "look", callee.Parent() != nil:
		return Looks
	case callee.Name() == "remove":
		return Removes
	}
	return Apart
}

func (byName) IsOf(t types.Type) bool {
	return t.String() == "*sigs.k8s.io/controller-runtime/pkg/reconcile.File"
}

// TestAfterRemoval: where files are only removed, whatever they are like, no wait counts.
func TestAfterRemoval(t *testing.T) {
	t.Parallel()
	waits := Outcomes{Empty: true, Longest: 5}
	for body, want := range map[string]Outcomes{
		`f := look(); if wait == 0 { remove(f); return after(5) }; err = work(); return none()`:                                        {Empty: true},
		`f := look(); if wait == 0 { if err = remove(f); err != nil { return none() }; return after(5) }; err = work(); return none()`: {Empty: true},
		`f := look(); remove(f); if wait == 0 { return after(5) }; err = work(); return none()`:                                        waits, // may clean up
		`f := look(); if f.done { remove(f); return after(5) }; err = work(); return none()`:                                           waits, // looks again at the file
		`look(); if wait == 0 { return after(5) }; err = work(); return none()`:                                                        waits,
		`f := look(); if wait == 0 { remove(f); err = work(); return after(5) }; return none()`:                                        waits,
		`f := look(); remove(f); return after(5)`:                                                                                      {Longest: 5}, // nothing else is known
	} {
		p, fn := load(t, body)
		if got := p.After(fn, byName{}); !reflect.DeepEqual(normal(got), want) {
			t.Errorf("%s: %+v, want %+v", body, got, want)
		}
	}
}

func normal(a Outcomes) Outcomes {
	if len(a.IntervalParams) == 0 {
		a.IntervalParams = nil
	}
	return a
}

func load(t *testing.T, body string) (*Package, *ssa.Function) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", header+body+"}", 0)
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	pkg, _, err := ssautil.BuildPackage(new(types.Config), fset,
		types.NewPackage("sigs.k8s.io/controller-runtime/pkg/reconcile", ""), []*ast.File{file}, ssa.BuilderMode(0))
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	index := origin.NewIndex(pkg, nil)
	pass := &analysis.Pass{
		Pkg:               pkg.Pkg,
		ResultOf:          map[*analysis.Analyzer]any{ssair.Analyzer: &ssair.Package{SSA: pkg, Index: index}},
		ImportObjectFact:  func(types.Object, analysis.Fact) bool { return false },
		ExportPackageFact: func(analysis.Fact) {},
	}
	vars, err := constants.Analyzer.Run(pass)
	if err != nil {
		t.Fatal(err)
	}
	p := &Package{
		pass: pass, index: index, vars: vars.(*constants.Vars), resolver: callee.NewResolver(pkg, index, nil, nil),
		summaries: make(map[*ssa.Function]Summary), active: make(map[*ssa.Function]bool),
	}
	return p, pkg.Func("Reconcile")
}

func TestJoinIsUnion(t *testing.T) {
	t.Parallel()
	a := Outcomes{Empty: true, Longest: time.Second, IntervalParams: []Interval{{2, 1}}}.join(Outcomes{Longest: time.Minute, IntervalParams: []Interval{{1, 1}, {2, 1}}})
	want := Outcomes{Empty: true, Longest: time.Minute, IntervalParams: []Interval{{1, 1}, {2, 1}}}
	if !reflect.DeepEqual(a, want) {
		t.Errorf("%+v, want %+v", a, want)
	}
}
