// Package selection answers which objects a handler makes requests of, and a predicate
// lets through: what the metadata of an object must have, whatever else is true.
//
// It interprets map functions, the methods of handlers and functions that filter, once for
// each thing that they ask the metadata for, as if the object did not have it. If then no
// request is made, the object must have it. A function that is not understood needs
// nothing.
package selection

import (
	"go/ast"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/decision"
	"github.com/operatorvet/operatorvet/internal/engine/flow"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
)

// Analyzer interprets the functions of a package that select objects. Its result is a
// *[Package]; its facts are [Selections].
var Analyzer = rule.Guard(&analysis.Analyzer{
	Name:       "operatorselection",
	Doc:        "find out what objects must have so that handlers and predicates select them",
	Requires:   []*analysis.Analyzer{ssair.Analyzer, flow.Analyzer},
	Run:        run,
	ResultType: reflect.TypeFor[*Package](),
	FactTypes:  []analysis.Fact{new(Selections)},
})

// Selections is the fact of a package. Funcs are the functions and function literals that
// need something, sorted by name.
type Selections struct {
	Funcs []Func
	// Indexes are the indexes that the package adds to caches.
	Indexes []IndexFunc
	// OfSpec are the names of functions whose results only depend on the spec of an
	// object, sorted.
	OfSpec []string
	// Makers are the exported functions that make texts of objects, sorted by name.
	Makers []Maker
}

// AFact marks Selections as a fact.
func (*Selections) AFact() {}

func (s *Selections) String() string { return "selections" }

// A Func is a function that selects objects.
type Func struct {
	Name string
	// Answers has one answer for each type that the function tests objects for, sorted
	// by TypeName. The last answer has no type and is about all other objects.
	Answers []Answer
}

// An Answer is what objects of a type must have.
type Answer struct {
	Type  string
	Needs []Need
}

// A Part is a part of an object's metadata.
type Part int

const (
	// Labels and Annotations: there must be an entry under the key.
	Labels Part = iota + 1
	Annotations
	// Name: the object must have one of some names.
	Name
	// Owner and Controller: there must be an owner reference, a controller reference.
	Owner
	Controller
	// Never: no object has it, so that none is selected.
	Never
)

// A Need is what an object must have.
type Need struct {
	Part Part
	// Key is the key of the label or annotation.
	Key string
	// Names are the names that the object may have, sorted. If Given is set, it may
	// also have one that the spec of another object has, and with Endings, which are
	// sorted, one that ends in one of them. Indexes are asked for further ones.
	Names   []string
	Given   bool
	Endings []string
	Indexes []Index
}

func (n Need) String() string {
	switch n.Part {
	case Labels:
		return "the label " + n.Key
	case Annotations:
		return "the annotation " + n.Key
	case Owner:
		return "an owner reference"
	case Controller:
		return "a controller reference"
	case Never:
		return "what none has"
	}
	var from []string
	if n.Given {
		from = append(from, "a spec has")
	}
	if len(n.Indexes) > 0 {
		from = append(from, "an index has")
	}
	for _, ending := range n.Endings {
		from = append(from, "ends in "+ending)
	}
	switch other := strings.Join(from, " or "); {
	case other == "":
		return "the name " + strings.Join(n.Names, " or ")
	case len(n.Names) == 0:
		return "a name that " + other
	default:
		return "the name " + strings.Join(n.Names, " or ") + " or one that " + other
	}
}

// Equal reports whether the needs are the same.
func (n Need) Equal(m Need) bool {
	return n.Part == m.Part && n.Key == m.Key && n.Given == m.Given && slices.Equal(n.Names, m.Names) && slices.Equal(n.Endings, m.Endings) && slices.Equal(n.Indexes, m.Indexes)
}

// of returns what objects of the type need.
func (f *Func) of(typeName string) []Need {
	for _, a := range f.Answers {
		if a.Type == typeName || a.Type == "" {
			return a.Needs
		}
	}
	return nil
}

// Package answers questions about the functions that a package uses.
type Package struct {
	flow     *flow.Package
	own      map[*ssa.Function]*Func
	imported map[string]*Func // from the facts of other packages
	indexes  []IndexFunc      // of this package, and of others
	ofSpec   map[string]bool  // functions of other packages
	makers   map[string]Text  // functions of other packages
}

func run(pass *analysis.Pass) (any, error) {
	p := &Package{
		flow:     pass.ResultOf[flow.Analyzer].(*flow.Package),
		own:      make(map[*ssa.Function]*Func),
		imported: make(map[string]*Func),
		ofSpec:   make(map[string]bool),
		makers:   make(map[string]Text),
	}
	pkg := pass.ResultOf[ssair.Analyzer].(*ssair.Package)
	if pkg.SSA == nil {
		return p, nil
	}
	for _, s := range rule.FactsOf[*Selections](pass) {
		for i := range s.Funcs {
			p.imported[s.Funcs[i].Name] = &s.Funcs[i]
		}
		p.indexes = append(p.indexes, s.Indexes...)
		for _, name := range s.OfSpec {
			p.ofSpec[name] = true
		}
		for _, m := range s.Makers {
			p.makers[m.Name] = m.Text
		}
	}
	known := exported(pkg.Funcs)
	fact := &Selections{Indexes: p.indexesOf(pkg.Funcs), OfSpec: p.funcsOfSpec(known), Makers: p.makersOf(known)}
	p.indexes = append(p.indexes, fact.Indexes...)
	for _, fn := range pkg.Funcs {
		if f := p.interpret(fn); f != nil {
			p.own[fn] = f
			fact.Funcs = append(fact.Funcs, *f)
		}
	}
	if len(fact.Funcs)+len(fact.Indexes)+len(fact.OfSpec)+len(fact.Makers) > 0 {
		slices.SortFunc(fact.Funcs, func(a, b Func) int { return strings.Compare(a.Name, b.Name) })
		pass.ExportPackageFact(fact)
	}
	return p, nil
}

// NeedsOf returns what objects of the type must have so that the function selects them.
func (p *Package) NeedsOf(fn flow.Func, typeName string) []Need {
	if fn.Param >= 0 {
		return nil
	}
	return p.named(fn.Name, typeName)
}

// MethodNeeds returns what objects of the type must have so that the method of a type
// selects them.
func (p *Package) MethodNeeds(holder, method, typeName string) []Need {
	m := p.flow.Method(holder, method)
	if m == nil {
		return nil
	}
	return p.named(library.Name(m), typeName)
}

func (p *Package) named(name, typeName string) []Need {
	f := p.imported[name]
	if fn := p.flow.Lookup(name); fn != nil {
		f = p.own[fn]
	}
	if f == nil {
		return nil
	}
	return p.known(f.of(typeName))
}

// Either returns the needs of what one of two functions selects, by what each of them needs.
func Either(a, b []Need) []Need {
	switch {
	case IsNever(a):
		return b
	case IsNever(b):
		return a
	}
	return slices.DeleteFunc(slices.Clone(a), func(n Need) bool { return !slices.ContainsFunc(b, n.Equal) })
}

// IsNever reports whether nothing is selected.
func IsNever(needs []Need) bool {
	return slices.ContainsFunc(needs, func(n Need) bool { return n.Part == Never })
}

// interpret returns what the function needs. It returns nil if that is nothing, or if it
// selects no objects.
func (p *Package) interpret(fn *ssa.Function) *Func {
	args := asked(fn)
	if args == nil {
		return nil
	}
	f := &Func{Name: decision.NameOf(fn)}
	found := false
	for _, typ := range append(decision.TestedTypes(fn, nil, p.answered), "") {
		a := Answer{Type: typ}
		base := &interp{p: p, typ: typ}
		if !base.selects(fn, args) {
			a.Needs, found = []Need{{Part: Never}}, true
			f.Answers = append(f.Answers, a)
			continue
		}
		for _, need := range base.candidates() {
			in := &interp{p: p, typ: typ, lacks: need}
			if !in.selects(fn, args) {
				a.Needs = append(a.Needs, in.need())
			}
		}
		found = found || len(a.Needs) > 0
		f.Answers = append(f.Answers, a)
	}
	if !found {
		return nil
	}
	return f
}

// asked returns the arguments of a function that selects objects. It returns nil for other
// functions.
//
//	func(ctx context.Context, obj client.Object) []reconcile.Request
//	func(obj client.Object) bool
//	func(obj client.Object) (name string, ok bool)
//	func(e event.CreateEvent) bool
//	func(ctx context.Context, e event.CreateEvent, q workqueue.TypedRateLimitingInterface[reconcile.Request])
func asked(fn *ssa.Function) []decision.Value {
	sig := fn.Signature
	if len(fn.Blocks) == 0 || sig.Results().Len() > 0 && !isSelection(fn) {
		return nil
	}
	args := make([]decision.Value, len(fn.Params))
	objects, queued := 0, false
	first := len(fn.Params) - sig.Params().Len()
	for i := range args {
		args[i] = decision.Unknown
	}
	for i := range sig.Params().Len() {
		switch t := sig.Params().At(i).Type(); {
		case isObject(t):
			args[first+i].Side = whole
			objects++
		case isEvent(t):
			args[first+i].Side = event
			objects++
		case isQueue(t):
			args[first+i].Side, queued = queue, true
		}
	}
	if objects != 1 || sig.Results().Len() == 0 && !queued {
		return nil
	}
	return args
}

// isSelection reports whether the function returns a boolean, a list of requests, or, to another
// package, something that it finds in an object, with a boolean if there need not be one.
func isSelection(fn *ssa.Function) bool {
	res := fn.Signature.Results()
	last := res.At(res.Len() - 1).Type()
	switch {
	case res.Len() == 1 && (library.IsBool(last) || isRequests(last)):
		return true
	case !ast.IsExported(fn.Name()):
		return false
	case res.Len() == 2:
		return library.IsBool(last)
	}
	_, isPointer := types.Unalias(last).Underlying().(*types.Pointer)
	return res.Len() == 1 && (library.IsString(last) || isPointer && !isObject(last)) // what makes objects finds nothing
}

// isRequests reports whether t is a list of requests.
func isRequests(t types.Type) bool {
	list, ok := types.Unalias(t).Underlying().(*types.Slice)
	return ok && library.TypeOf(list.Elem()).Is == library.Request
}

// isObject reports whether t has the methods of an API object, and is no list.
func isObject(t types.Type) bool { return decision.IsObject(t) && !isList(t) }

// isList reports whether t is a list of objects.
func isList(t types.Type) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, "GetRemainingItemCount")
	return obj != nil
}

func isEvent(t types.Type) bool {
	switch library.TypeOf(t).Is {
	case library.UpdateEvent, library.ObjectEvent:
		return true
	}
	return false
}

// isQueue reports whether t is a queue of requests.
func isQueue(t types.Type) bool {
	add, _, _ := types.LookupFieldOrMethod(t, false, nil, "AddRateLimited")
	return types.IsInterface(t) && add != nil
}

// answered returns the types about which a function of another package has answers.
func (p *Package) answered(name string) []string {
	var types []string
	if f := p.imported[name]; f != nil {
		for _, a := range f.Answers {
			types = append(types, a.Type)
		}
	}
	return types
}
