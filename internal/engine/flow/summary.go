package flow

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/engine/text"
	"github.com/operatorvet/operatorvet/internal/library"
)

// A Summary is what a caller needs to know about a function: what its results
// are made of, what it changes under its parameters, and the events of its call
// tree. It is in terms of the function's parameters. As a fact it is what other
// packages read.
type Summary struct {
	Results   []Val
	Objects   []Obj       // allocated by the function, reachable by the caller
	Changes   []Change    // cells under parameters, at the end
	Refreshed []ParamPath // content replaced from the API server
	Earlier   []Earlier   // further parameters for such content
	Sorted    []ParamPath
	Events    []Event
	Reads     []Read
	Shows     []Showing
	Callbacks []Callback
	Verdicts  []Verdict
	// AtOnce are the indices of the parameters that the function runs in several goroutines.
	AtOnce []int
	// Asks is what the function asks for to find its answer, if that is nothing but parts of a status.
	Asks []Asked
	// Sets are the fields of a status that the function sets, or what it calls, even if it then reads the
	// object again.
	Sets []StatusField
	// Lengthened are the results that are certainly the list of a parameter with more
	// elements, or a number or a text of one with something added.
	Lengthened []Lengthened
	// Filled are the results that are certainly lists with elements.
	Filled []int
	// Reread are the results that are what a parameter's object has at a place.
	Reread []Reread
	// Decisions are what callers decide, besides boolean parameters; see Label.Given.
	Decisions []Decision
	// Requires are tests of parameters. If one fails, the function does nothing.
	Requires []TypeTest
	// Sorts is set when the function sorts something, so that a comparison in it
	// may not depend on an order.
	Sorts bool
	// Gaps are functions of the call tree that are analysed in part.
	Gaps []Gap

	// The rest is not part of a fact. There are drops if the analysis is traced.
	limits limits
	drops  []drop
}

// AFact marks a Summary as a fact.
func (*Summary) AFact() {}

// String returns the summary on one line: the number of each thing, and the first
// one: "events 2: (client.Writer).Update apply.go:41; changes 1: 0.Spec".
// [Package.Debug] writes all of it.
func (s *Summary) String() string {
	var parts []string
	add := func(what string, n int, first func() string) {
		if n > 0 {
			parts = append(parts, strings.TrimRight(fmt.Sprintf("%s %d: %s", what, n, first()), ": "))
		}
	}
	place := func(param int, path access.Path) string { return fmt.Sprintf("%d%v", param, path) }
	add("events", len(s.Events), func() string { return fmt.Sprintf("%s %v", text.Name(s.Events[0].Callee), s.Events[0].At) })
	add("calls of the caller's functions", len(s.Callbacks), func() string { return place(s.Callbacks[0].Func.Param, s.Callbacks[0].Func.Path) })
	add("changes", len(s.Changes), func() string { return place(s.Changes[0].Param, s.Changes[0].Path) })
	add("refreshed", len(s.Refreshed), func() string { return place(s.Refreshed[0].Param, s.Refreshed[0].Path) })
	add("sorted", len(s.Sorted), func() string { return place(s.Sorted[0].Param, s.Sorted[0].Path) })
	add("objects", len(s.Objects), func() string { return text.Name(s.Objects[0].Type) })
	add("reads", len(s.Reads), func() string { return fmt.Sprintf("%s %v", text.Name(s.Reads[0].Type), s.Reads[0].At) })
	add("verdicts", len(s.Verdicts), func() string { return fmt.Sprintf("result %d", s.Verdicts[0].Result) })
	return strings.Join(parts, "; ")
}

// Literals is the package fact about function literals that escape through the
// results of exported functions, and about methods of types that other packages
// cannot name.
type Literals struct{ Funcs []Literal }

// AFact marks Literals as a fact.
func (*Literals) AFact() {}

// String returns the names of the literals.
func (l *Literals) String() string {
	names := make([]string, len(l.Funcs))
	for i, f := range l.Funcs {
		names[i] = text.Name(f.Name)
	}
	return strings.Join(names, ", ")
}

// A Literal is the summary of a function literal, or of a method. The captured
// variables are further parameters behind its own.
type Literal struct {
	Name   string
	Params int
	Sum    Summary
}

// A Val is a value in a summary.
type Val struct {
	Refs    []Ref
	Labels  []Label
	Funcs   []FuncRef
	Const   string
	Unknown bool
	Several bool   // it may be a constant or something else
	Copy    bool   // a struct copied from Refs
	Entries bool   // in a cell for all entries of a map: each is that of the same key in the maps of Refs
	Lacked  []Ref  // the maps among Refs of which only entries count that the others lack
	Ending  string // what a string that is no constant certainly ends in

	Bound []Bound
}

func (v Val) equal(w Val) bool {
	return v.Const == w.Const && v.Unknown == w.Unknown && v.Several == w.Several && v.Copy == w.Copy && v.Entries == w.Entries && v.Ending == w.Ending &&
		slices.Equal(v.Refs, w.Refs) && slices.Equal(v.Lacked, w.Lacked) && slices.Equal(v.Funcs, w.Funcs) && labels(v.Labels).equal(w.Labels) &&
		slices.EqualFunc(v.Bound, w.Bound, Bound.equal)
}

// A Bound is a function literal or a method value, with the captured values.
type Bound struct {
	Name     string // of the literal, "path.Parent$1"
	Captured []Val

	fn *ssa.Function // not part of a fact
}

func (b Bound) equal(other Bound) bool {
	return b.Name == other.Name && b.fn == other.fn && slices.EqualFunc(b.Captured, other.Captured, Val.equal)
}

// A Ref refers to an object of the summary by ID, or to a parameter.
type Ref struct {
	Obj   int // an Obj's ID, or 0
	Param int // or -1
	Path  access.Path
}

// An Obj is an object that the function allocated.
type Obj struct {
	ID     int
	Type   string // TypeName; "$T" for a type parameter
	From   string
	Live   bool
	Opaque bool
	Copy   *ParamPath // the place that it is a copy of, which has its type
	When   []TypeTest // tests that must succeed for it to be made
	Scope  Scope      // in which it is made
	Cells  []Cell
	// Cached is set if it is the client of a manager that a package variable has.
	Cached bool
	// Exposed is set if a library's function got it, or if functions that capture it
	// were passed on: they may have changed what Cells do not have.
	Exposed bool
}

// A Cell is the value at a path under an object.
type Cell struct {
	Path access.Path
	Val  Val
}

// A Change is the value at a path under a parameter. A weak one may also be what
// was there before.
type Change struct {
	Param int
	Path  access.Path
	Val   Val
	Weak  bool
}

// A ParamPath is a place under a parameter.
type ParamPath struct {
	Param int
	Path  access.Path
}

// Lengthened says that a result is the list that a parameter is, with more elements, or the number or
// text, with something added. Perhaps is set if it may also be the text as it is.
type Lengthened struct {
	Result, Param int
	Perhaps       bool
}

// Reread says that a result is a number or a text that is at a place under a parameter, in some form:
// zero if there is none, and with something added if Adds is set. If Key is not negative, the place is
// the entry of a map under the key that this parameter is.
type Reread struct {
	Result int
	Of     ParamPath
	Key    int
	Adds   bool
}

// A FuncRef refers to a function by its Name, or to the function at Path under a
// parameter. With Method, the object is at Path.
type FuncRef struct {
	Name   string
	Param  int
	Path   access.Path
	Method string
}

// A Callback is a call of a function that the caller passes in.
type Callback struct {
	Func FuncRef
	Args []Val
	Go   bool
	// Rounds is as in an [Event].
	Rounds bool
	// Results are the IDs of the objects that stand for the results. An ID of 0
	// means that nothing is known of the result.
	Results []int
	// Guards are the guards of the call, as in an [Event].
	Guards [][]Label

	args  []value
	heap  *heap
	maybe bool
	inGo  bool
	seq   int // callbacks are in the order in which they are called
}

// equal reports whether the two callbacks are the same to a caller.
func (cb *Callback) equal(other *Callback) bool {
	return cb.Func == other.Func && cb.Go == other.Go && cb.Rounds == other.Rounds && cb.maybe == other.maybe &&
		slices.Equal(cb.Results, other.Results) && slices.EqualFunc(cb.Args, other.Args, Val.equal) &&
		slices.EqualFunc(cb.Guards, other.Guards, func(a, b []Label) bool { return labels(a).equal(b) })
}

const (
	// maxSummaryObjects bounds the objects of a summary. As many more are there for those
	// that lead to a source: rules ask for them.
	maxSummaryObjects = 128
	maxSummaryCells   = 2000
)

// mayChangeArgs reports whether the function gets anything that a function could
// change. Then other packages need its summary even if it is empty: without one,
// they take it that the function changes all that it gets.
func mayChangeArgs(fn *types.Func) bool {
	sig := fn.Signature()
	if recv := sig.Recv(); recv != nil && !isBasic(recv.Type()) {
		return true
	}
	for param := range sig.Params().Variables() {
		if !isBasic(param.Type()) {
			return true
		}
	}
	return false
}

// decides reports whether a result of the function is a boolean. Then other packages
// need its summary even if it is empty: without one, they take it that the answer may
// change with the cluster.
func decides(fn *types.Func) bool {
	for res := range fn.Signature().Results().Variables() {
		if library.IsBool(res.Type()) {
			return true
		}
	}
	return false
}

// isEmpty reports whether the summary says nothing.
func (s *Summary) isEmpty() bool {
	if len(s.Objects)+len(s.Changes)+len(s.Refreshed)+len(s.Sorted)+len(s.Events)+len(s.Reads)+len(s.Shows)+len(s.Callbacks)+len(s.Gaps) > 0 {
		return false
	}
	return !slices.ContainsFunc(s.Results, func(v Val) bool {
		return len(v.Refs)+len(v.Labels)+len(v.Funcs)+len(v.Bound) > 0 || v.Const != ""
	})
}
