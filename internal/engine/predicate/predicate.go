// Package predicate answers which updates the predicates of a watch let through.
//
// It knows the library's predicates by their types and combinations. It interprets the
// Update of all others, once for each part of an object that may have changed: what does
// Update return if only the status has changed? A predicate that is not understood may
// let every update through.
package predicate

import (
	"go/token"
	"go/types"
	"maps"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/engine/decision"
	"github.com/operatorvet/operatorvet/internal/engine/flow"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
)

// Analyzer interprets the functions of a package that decide about updates. Its result
// is a *[Package]; its facts are [Updates].
var Analyzer = rule.Guard(&analysis.Analyzer{
	Name:       "operatorpredicate",
	Doc:        "find out which updates predicates let through",
	Requires:   []*analysis.Analyzer{ssair.Analyzer, flow.Analyzer},
	Run:        run,
	ResultType: reflect.TypeFor[*Package](),
	FactTypes:  []analysis.Fact{new(Updates)},
})

// Updates is the fact of a package. It describes, sorted by name, the functions and
// function literals that decide about updates, and the variables that hold predicates.
type Updates struct{ Funcs []Func }

// AFact marks Updates as a fact.
func (*Updates) AFact() {}

func (u *Updates) String() string { return "updates" }

// A Func is a function that decides about an update. Its parameters are the event, or
// the old and the new object.
type Func struct {
	Name string
	// Answers has one answer for each type that the function tests objects for,
	// sorted by TypeName. The last answer has no type and is about all other objects.
	Answers []Answer
}

// An Answer is what a function may return for objects of a type in which exactly one
// part has changed.
type Answer struct {
	Type string
	// Yes and No are the parts for which the function may return true and false. A
	// part for which the result is not known is in both.
	Yes, No library.Changes
	// DropsResync and PassesResync are set if the function certainly returns false, or
	// certainly true, for an update that changes nothing, as a resync of the cache
	// sends it.
	DropsResync, PassesResync bool
}

// of returns the answer about an object of the type.
func (f *Func) of(typeName string) Answer {
	for _, a := range f.Answers {
		if a.Type == typeName || a.Type == "" {
			return a
		}
	}
	return Answer{Yes: library.AnyChange, No: library.AnyChange}
}

// Package answers questions about the predicates that a package uses.
type Package struct {
	pass     *analysis.Pass
	flow     *flow.Package
	ssa      *ssa.Package // nil if there is no code to look at
	index    *origin.Index
	own      map[*ssa.Function]*Func
	imported map[string]*Func // from the facts of other packages
}

func run(pass *analysis.Pass) (any, error) {
	p := &Package{
		pass:     pass,
		flow:     pass.ResultOf[flow.Analyzer].(*flow.Package),
		own:      make(map[*ssa.Function]*Func),
		imported: make(map[string]*Func),
	}
	pkg := pass.ResultOf[ssair.Analyzer].(*ssair.Package)
	if pkg.SSA == nil {
		return p, nil
	}
	p.ssa, p.index = pkg.SSA, pkg.Index
	for _, u := range rule.FactsOf[*Updates](pass) {
		for i := range u.Funcs {
			p.imported[u.Funcs[i].Name] = &u.Funcs[i]
		}
	}
	fact := new(Updates)
	for _, fn := range pkg.Funcs {
		if f := p.interpret(fn); f != nil {
			p.own[fn] = f
			fact.Funcs = append(fact.Funcs, *f)
		}
	}
	fact.Funcs = append(fact.Funcs, p.variables(pkg.SSA)...)
	if len(fact.Funcs) > 0 {
		sortByName(fact.Funcs)
		pass.ExportPackageFact(fact)
	}
	return p, nil
}

func sortByName(funcs []Func) {
	slices.SortFunc(funcs, func(a, b Func) int { return strings.Compare(a.Name, b.Name) })
}

// interpret returns the answers of a function that decides about updates. It returns nil
// for other functions, and if nothing is known of any answer.
func (p *Package) interpret(fn *ssa.Function) *Func {
	args := asked(fn)
	if args == nil {
		return nil
	}
	f := &Func{Name: decision.NameOf(fn)}
	informative := false
	for _, typ := range append(decision.TestedTypes(fn, p.functions, p.answered), "") {
		a := Answer{Type: typ}
		for change := library.Changes(1); change < library.AnyChange; change <<= 1 {
			in := &interp{p: p, update: update{change, typ}}
			res := in.call(fn, args)
			if len(res) != 1 || res[0] != decision.No {
				a.Yes |= change
			}
			if len(res) != 1 || res[0] != decision.Yes {
				a.No |= change
			}
		}
		in := &interp{p: p, update: update{nothing, typ}}
		res := in.call(fn, args)
		if len(res) == 1 {
			a.DropsResync, a.PassesResync = res[0] == decision.No, res[0] == decision.Yes
		}
		informative = informative || a.Yes&a.No != library.AnyChange || a.DropsResync
		f.Answers = append(f.Answers, a)
	}
	if !informative {
		return nil
	}
	return f
}

// variables returns the answers of the predicates in the package's exported variables.
func (p *Package) variables(pkg *ssa.Package) []Func {
	names := map[string]bool{"": true}
	for _, f := range p.own {
		for _, a := range f.Answers {
			names[a.Type] = true
		}
	}
	sorted := slices.Sorted(maps.Keys(names))
	var vars []Func
	for _, member := range pkg.Members {
		g, ok := member.(*ssa.Global)
		if !ok || !token.IsExported(g.Name()) || !library.IsPredicate(library.Deref(g.Type())) {
			continue
		}
		held := p.flow.InitialValue(g)
		f := Func{Name: pkg.Pkg.Path() + "." + g.Name()}
		narrow := false
		for _, typ := range append(sorted[1:], "") {
			a := Answer{Type: typ, Yes: p.Passes(held, typ), No: library.AnyChange, DropsResync: p.DropsResyncs(held, typ)}
			narrow = narrow || a.Yes != library.AnyChange || a.DropsResync
			f.Answers = append(f.Answers, a)
		}
		if narrow {
			vars = append(vars, f)
		}
	}
	return vars
}

// asked returns the arguments of a function that decides about updates: the event, or
// the old and the new object. It returns nil for other functions.
func asked(fn *ssa.Function) []decision.Value {
	sig := fn.Signature
	if sig.Results().Len() != 1 || !library.IsBool(sig.Results().At(0).Type()) || len(fn.Blocks) == 0 {
		return nil
	}
	args := make([]decision.Value, len(fn.Params))
	for i := range args {
		args[i] = decision.Unknown
	}
	first := len(fn.Params) - sig.Params().Len()
	switch sig.Params().Len() {
	case 1:
		if library.TypeOf(sig.Params().At(0).Type()).Is != library.UpdateEvent {
			return nil
		}
		args[first] = decision.Value{Side: event}
	case 2:
		t := sig.Params().At(0).Type()
		if !types.Identical(t, sig.Params().At(1).Type()) || !decision.IsObject(t) {
			return nil
		}
		args[first], args[first+1] = decision.Value{Side: before}, decision.Value{Side: after}
	default:
		return nil
	}
	return args
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

// Passes returns the parts of an object of the type whose change all of the predicates
// may let through. A predicate that is not known could only make them fewer.
func (p *Package) Passes(predicates flow.Arg, typeName string) library.Changes {
	passes := library.AnyChange
	for _, o := range predicates.Objects {
		if o.Sure {
			passes &= p.passes(o, typeName)
		}
	}
	return passes
}

// passes returns what one predicate lets through.
func (p *Package) passes(o flow.Object, typeName string) library.Changes {
	if how := library.Named(o.From).Combination; how != 0 {
		return p.combined(how, o, typeName)
	}
	if f := p.imported[o.From]; f != nil {
		return f.of(typeName).Yes // a variable of another package
	}
	switch typ := library.TypeNamed(o.Type); {
	case typ.Passes != 0:
		return typ.Passes
	case typ.Is == library.FuncsPredicate:
		return p.byFunc(o, typeName)
	}
	return p.byMethod(o, typeName)
}

// DropsResyncs reports whether the predicates certainly drop an update that changes
// nothing, as a resync of the cache sends it.
func (p *Package) DropsResyncs(predicates flow.Arg, typeName string) bool {
	return slices.ContainsFunc(predicates.Objects, func(o flow.Object) bool { return o.Sure && p.dropsResyncs(o, typeName) })
}

func (p *Package) dropsResyncs(o flow.Object, typeName string) bool {
	if how := library.Named(o.From).Combination; how != 0 {
		parts, ok := o.Part(access.Marked(access.Combined))
		drops := func(o flow.Object) bool { return p.dropsResyncs(o, typeName) }
		passes := func(o flow.Object) bool { return !drops(o) }
		if chosen, ok := o.Part(access.Marked(access.Chosen)); ok && !chosen.Unknown && !slices.ContainsFunc(chosen.Objects, passes) {
			return true
		}
		switch {
		case !ok || len(parts.Objects) == 0:
			return false
		case how == library.AllOf:
			return slices.ContainsFunc(parts.Objects, drops)
		case how == library.AnyOf:
			return !parts.Unknown && !slices.ContainsFunc(parts.Objects, passes)
		}
		return false
	}
	if f := p.imported[o.From]; f != nil {
		return f.of(typeName).DropsResync
	}
	switch typ := library.TypeNamed(o.Type); {
	case typ.Passes != 0:
		return true
	case typ.Is == library.FuncsPredicate:
		return p.funcsDropResyncs(o, typeName)
	}
	return p.methodDropsResyncs(o, typeName)
}

// funcsDropResyncs is dropsResyncs for a predicate made of functions.
func (p *Package) funcsDropResyncs(o flow.Object, typeName string) bool {
	update, ok := o.Part(access.Fields("UpdateFunc"))
	return ok && !update.Unknown && len(update.Funcs) > 0 && len(update.Objects) == 0 &&
		!slices.ContainsFunc(update.Funcs, func(f flow.Func) bool { return !p.named(f.Name).of(typeName).DropsResync })
}

// methodDropsResyncs is dropsResyncs for a predicate of another type.
func (p *Package) methodDropsResyncs(o flow.Object, typeName string) bool {
	method := p.flow.Method(o.Type, "Update")
	if method == nil {
		return false
	}
	if recv := method.Signature().Recv(); recv != nil && library.TypeOf(recv.Type()).Passes != 0 {
		return true // embedded
	}
	return p.named(library.Name(method)).of(typeName).DropsResync
}

func (p *Package) combined(how library.Combination, o flow.Object, typeName string) library.Changes {
	parts, ok := o.Part(access.Marked(access.Combined))
	if !ok || how == library.NoneOf {
		return library.AnyChange
	}
	all, any := p.oneOf(o, typeName), library.Changes(0)
	for _, o := range parts.Objects {
		passes := p.passes(o, typeName)
		all &= passes
		any |= passes
	}
	if how == library.AllOf {
		return all
	}
	return any
}

// oneOf returns what the predicate lets through that is chosen for a combination. If
// only some drop all edits, which is done on purpose, it is not known whether this one
// does: then everything may pass.
func (p *Package) oneOf(combination flow.Object, typeName string) library.Changes {
	chosen, ok := combination.Part(access.Marked(access.Chosen))
	if !ok || chosen.Unknown || len(chosen.Objects) == 0 {
		return library.AnyChange
	}
	all, any := library.AnyChange, library.Changes(0)
	for _, o := range chosen.Objects {
		passes := p.passes(o, typeName)
		all &= passes
		any |= passes
	}
	if all&library.Generation != any&library.Generation {
		return library.AnyChange
	}
	return any
}

// byFunc returns what a predicate made of functions lets through, by its UpdateFunc.
func (p *Package) byFunc(o flow.Object, typeName string) library.Changes {
	update, ok := o.Part(access.Fields("UpdateFunc"))
	if !ok || update.Unknown || len(update.Funcs) == 0 || len(update.Objects) > 0 {
		return library.AnyChange
	}
	var passes library.Changes
	for _, f := range update.Funcs {
		passes |= p.named(f.Name).of(typeName).Yes
	}
	return passes
}

// byMethod returns what a predicate lets through, by the method Update of its type.
func (p *Package) byMethod(o flow.Object, typeName string) library.Changes {
	method := p.flow.Method(o.Type, "Update")
	if method == nil {
		return library.AnyChange
	}
	if recv := method.Signature().Recv(); recv != nil {
		if changes := library.TypeOf(recv.Type()).Passes; changes != 0 {
			return changes // embedded
		}
	}
	return p.named(library.Name(method)).of(typeName).Yes
}

// everything stands for a function that is not known: it may let every update through.
var everything = new(Func)

// named returns the answers of the function of this name.
func (p *Package) named(name string) *Func {
	if fn := p.flow.Lookup(name); fn != nil {
		if f := p.own[fn]; f != nil {
			return f
		}
		return everything
	}
	if f := p.imported[name]; f != nil {
		return f
	}
	return everything
}
