package wiring

import (
	"crypto/sha256"
	"fmt"
	"go/types"
	"io"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/internal/library"
)

// Analyzer has the view of a package as its result, a *[View]. It knows nothing
// unless the driver puts another one in place, as the command does.
var Analyzer = &analysis.Analyzer{
	Name: "operatorwiring",
	Doc:  "tell what other packages of the module decide",
	Run: func(pass *analysis.Pass) (any, error) {
		v := &View{pkg: pass.Pkg, ignorant: true}
		if pass.Module != nil {
			v.module = pass.Module.Path
		}
		return v, nil
	},
	ResultType: reflect.TypeFor[*View](),
}

// Of returns the view of the package of the pass, whose analyzer must require
// [Analyzer].
func Of(pass *analysis.Pass) *View { return pass.ResultOf[Analyzer].(*View) }

// IsAnalyzer reports whether a is [Analyzer] or a copy of it.
func IsAnalyzer(a *analysis.Analyzer) bool { return a.ResultType == Analyzer.ResultType }

// A View answers what a package can ask about the module. A nil *View knows
// nothing. It is safe for concurrent use.
type View struct {
	pkg     *types.Package
	of      *Module
	needs   []*types.Package
	answers map[string]Answer
	order   []Question
	covered map[string]bool // packages

	resync        time.Duration // see Resync
	resyncs       bool
	uncached      []Name   // see Uncached; sorted
	mixesClients  bool     // see MixesClients
	passesClients bool     // see PassesClients
	started       []string // see StartsOnce; sorted
	idle          []string // see Idle; sorted
	served        []string // see Served; sorted
	endless       []string // see Endless; sorted

	packages func() map[string]*types.Package

	ignorant bool        // there is no module to know
	module   string      // its path, if ignorant
	missed   atomic.Bool // see Missed

	mu     sync.Mutex // guards owners
	owners map[*types.Package]map[*types.Var]Question
}

// View returns the view of a package. needs are the packages that [Module.Needs]
// names.
func (m *Module) View(pkg *types.Package, needs []*types.Package) *View {
	if m == nil || m.surveys[pkg.Path()] == nil {
		return nil
	}
	v := &View{pkg: pkg, of: m, needs: needs, answers: make(map[string]Answer), owners: make(map[*types.Package]map[*types.Var]Question)}
	m.askable(pkg.Path(), func(q Question, a Answer) {
		v.order = append(v.order, q)
		v.answers[q.String()] = a
	})
	v.covered = m.sees[pkg.Path()]
	v.resync, v.resyncs = m.Resync(pkg.Path())
	v.uncached = m.uncachedIn(pkg.Path())
	v.mixesClients, v.passesClients = m.mixesClients(pkg.Path()), m.passesClients(pkg.Path())
	v.started = m.startedBy(pkg.Path())
	v.idle = m.idleIn(pkg.Path())
	v.served = m.servedIn(pkg.Path())
	v.endless = m.endlessIn(pkg.Path())
	v.packages = sync.OnceValue(v.findPackages)
	return v
}

// Digest returns a hash of the view of a package, or "" for none.
func (m *Module) Digest(path string) string {
	if m == nil || m.surveys[path] == nil {
		return ""
	}
	h := sha256.New()
	m.askable(path, func(q Question, a Answer) { fmt.Fprintln(h, q, a) })
	fmt.Fprintln(h, fmt.Sprint(m.Resync(path)))
	fmt.Fprintln(h, m.uncachedIn(path), m.mixesClients(path), m.passesClients(path))
	fmt.Fprintln(h, m.startedBy(path))
	fmt.Fprintln(h, m.idleIn(path))
	fmt.Fprintln(h, m.servedIn(path))
	fmt.Fprintln(h, m.endlessIn(path))
	for _, need := range m.needs[path] {
		io.WriteString(h, need+"\n")
	}
	return string(h.Sum(nil))
}

// findPackages returns the packages that targets may be in, by path.
func (v *View) findPackages() map[string]*types.Package {
	all := make(map[string]*types.Package)
	var add func(p *types.Package)
	add = func(p *types.Package) {
		if all[p.Path()] == nil {
			all[p.Path()] = p
			for _, imp := range p.Imports() {
				add(imp)
			}
		}
	}
	add(v.pkg)
	for _, p := range v.needs {
		if all[p.Path()] == nil {
			all[p.Path()] = p
		}
	}
	return all
}

// Missed reports whether the view was asked for something that a view of the module
// might have answered. Another driver may then find more in the package.
func (v *View) Missed() bool { return v != nil && v.missed.Load() }

// miss notes a question about what a package declares.
func (v *View) miss(pkg *types.Package) {
	if v.ignorant && pkg != nil && (pkg == v.pkg || v.module != "" && strings.HasPrefix(pkg.Path()+"/", v.module+"/")) {
		v.missed.Store(true)
	}
}

// Covers reports whether the view tells of what a package declares.
func (v *View) Covers(pkg *types.Package) bool {
	if v == nil || pkg == nil {
		return false
	}
	v.miss(pkg)
	return v.covered[pkg.Path()]
}

// Needs returns the packages that the view tells of and that the package does not
// import.
func (v *View) Needs() []*types.Package {
	if v == nil {
		return nil
	}
	return v.needs
}

// Functions returns the functions that a field may hold. It is not ok if there
// may be others.
func (v *View) Functions(field *types.Var) (fns []*types.Func, ok bool) {
	if v == nil || field == nil {
		return nil, false
	}
	v.miss(field.Pkg())
	for _, t := range v.field(field) {
		fn, isFunc := v.lookup(t.Of).(*types.Func)
		if t.Kind != Object || !isFunc {
			return nil, false
		}
		fns = append(fns, fn)
	}
	return fns, len(fns) > 0
}

// Setting returns the longest duration that a field holds, if the user of the program sets
// nothing: the default of a flag or of an environment variable. It is 0 if that is not known.
func (v *View) Setting(field *types.Var) time.Duration {
	if v == nil || field == nil {
		return 0
	}
	v.miss(field.Pkg())
	return v.answerOf(field).Every
}

// Types returns the types of the values that an interface field may hold. A type
// that only implements the interface as a pointer is a pointer type. It is not ok
// if there may be others.
func (v *View) Types(field *types.Var) ([]types.Type, bool) {
	if v == nil || field == nil {
		return nil, false
	}
	iface, isInterface := field.Type().Underlying().(*types.Interface)
	if !isInterface {
		return nil, false
	}
	switch named := library.NamedOf(field.Type()); {
	case library.TypeOf(field.Type()).Is == library.Predicate:
		v.miss(field.Pkg())
	case named != nil:
		v.miss(named.Obj().Pkg())
	}
	return v.implementing(v.field(field), iface, true)
}

// Implementations returns the types that may stand behind an interface, likewise.
func (v *View) Implementations(iface *types.Named) ([]types.Type, bool) {
	under, isInterface := iface.Underlying().(*types.Interface)
	if v == nil || !isInterface || iface.TypeParams().Len() > 0 || iface.Obj().Pkg() == nil {
		return nil, false
	}
	v.miss(iface.Obj().Pkg())
	a := v.answers[Question{Of: Name{iface.Obj().Pkg().Path(), iface.Obj().Name()}}.String()]
	if slices.ContainsFunc(a.Promoted, v.promotes) {
		return nil, false
	}
	return v.implementing(a.Targets, under, false)
}

// promotes reports whether the embedded types may have all methods.
func (v *View) promotes(p Promoted) bool {
	return !slices.ContainsFunc(p.Methods, func(method string) bool {
		return !slices.ContainsFunc(p.Embeds, func(of Name) bool {
			obj := v.lookup(of)
			if obj == nil {
				return true // not known here
			}
			m, _, _ := types.LookupFieldOrMethod(types.NewPointer(obj.Type()), true, obj.Pkg(), method)
			iface, _, _ := types.LookupFieldOrMethod(obj.Type(), true, obj.Pkg(), method)
			return m != nil || iface != nil
		})
	})
}

// implementing returns the types among the targets that implement the interface.
// With all, each must.
func (v *View) implementing(targets []Target, iface *types.Interface, all bool) (impls []types.Type, ok bool) {
	for _, target := range targets {
		t := v.concrete(target)
		if t == nil {
			return nil, false
		}
		switch {
		case types.Implements(t, iface):
			impls = append(impls, t)
		case types.Implements(types.NewPointer(t), iface):
			impls = append(impls, types.NewPointer(t))
		case all:
			return nil, false
		}
	}
	return impls, len(impls) > 0
}

// concrete returns the concrete type of a target, or nil.
func (v *View) concrete(target Target) types.Type {
	switch obj := v.lookup(target.Of).(type) {
	case *types.TypeName:
		named, ok := types.Unalias(obj.Type()).(*types.Named)
		if ok && target.Kind == Instance && named.TypeParams().Len() == named.TypeArgs().Len() && !types.IsInterface(named) {
			return named
		}
	case *types.Func:
		if res := obj.Signature().Results(); target.Kind == Result && res.Len() > 0 {
			t := res.At(0).Type()
			if ptr, ok := types.Unalias(t).(*types.Pointer); ok {
				t = ptr.Elem()
			}
			if named, ok := types.Unalias(t).(*types.Named); ok && !types.IsInterface(named) {
				return named
			}
		}
	}
	return nil
}

// Result returns the function of a library whose result a field holds, if it
// holds no other value.
func (v *View) Result(field *types.Var) *types.Func {
	if targets := v.field(field); len(targets) == 1 && targets[0].Kind == Result {
		fn, _ := v.lookup(targets[0].Of).(*types.Func)
		return fn
	}
	return nil
}

// field returns the targets of a field, or nil.
func (v *View) field(field *types.Var) []Target { return v.answerOf(field).Targets }

// answerOf returns the answer about a field, the zero Answer if there is none.
func (v *View) answerOf(field *types.Var) Answer {
	if v == nil || field == nil || field.Pkg() == nil || !v.covered[field.Pkg().Path()] {
		return Answer{}
	}
	q, ok := v.questionOf(field.Origin())
	if !ok {
		return Answer{}
	}
	return v.answers[q.String()]
}

// questionOf returns the question for a field of a struct type that its package
// declares.
func (v *View) questionOf(field *types.Var) (Question, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	fields, ok := v.owners[field.Pkg()]
	if !ok {
		fields = make(map[*types.Var]Question)
		v.owners[field.Pkg()] = fields
		scope := field.Pkg().Scope()
		for _, name := range scope.Names() {
			tn, ok := scope.Lookup(name).(*types.TypeName)
			if !ok || tn.IsAlias() {
				continue
			}
			if s, ok := tn.Type().Underlying().(*types.Struct); ok {
				for f := range s.Fields() {
					// Types that are declared with each other's underlying type share it.
					q := Question{Name{field.Pkg().Path(), name}, f.Name()}
					if _, ok := v.answers[q.String()]; ok {
						fields[f] = q
					}
				}
			}
		}
	}
	q, ok := fields[field]
	return q, ok
}

// lookup returns the object with this name, or nil.
func (v *View) lookup(name Name) types.Object {
	pkg := v.packages()[name.Pkg]
	if pkg == nil {
		return nil
	}
	recv, method, isMethod := strings.Cut(name.Name, ".")
	obj := pkg.Scope().Lookup(recv)
	if !isMethod || obj == nil {
		return obj
	}
	m, _, _ := types.LookupFieldOrMethod(types.NewPointer(obj.Type()), true, pkg, method)
	return m
}

// Debug returns a line for each question about the package's own declarations
// that has an answer, sorted.
func (v *View) Debug() []string {
	if v == nil {
		return nil
	}
	var lines []string
	for _, q := range v.order {
		if q.Of.Pkg != v.pkg.Path() {
			continue
		}
		if every := v.answers[q.String()].Every; every > 0 {
			lines = append(lines, fmt.Sprintf("%s.%s is %v unless the user sets it", q.Of.Name, q.Field, every))
		}
		if q.Field != "" && !v.isOpen(q) {
			continue
		}
		var targets []string
		for _, t := range v.answers[q.String()].Targets {
			targets = append(targets, t.String())
		}
		line := q.Of.Name + " is implemented by "
		if q.Field != "" {
			line = q.Of.Name + "." + q.Field + " holds "
		}
		lines = append(lines, line+strings.Join(targets, ", "))
	}
	for _, name := range v.started {
		lines = append(lines, name+" is only started, by programs and once")
	}
	for _, name := range v.served {
		lines = append(lines, name+" only answers requests over HTTP")
	}
	slices.Sort(lines)
	return lines
}

// isOpen reports whether the field is a function or an interface.
func (v *View) isOpen(q Question) bool {
	obj := v.lookup(q.Of)
	if obj == nil {
		return false
	}
	field, _, _ := types.LookupFieldOrMethod(obj.Type(), true, v.pkg, q.Field)
	if field == nil {
		return false
	}
	_, isFunc := field.Type().Underlying().(*types.Signature)
	return isFunc || types.IsInterface(field.Type())
}

func (t Target) String() string {
	name := t.Of.Pkg[strings.LastIndexByte(t.Of.Pkg, '/')+1:] + "." + t.Of.Name
	if t.Kind == Result {
		return "the result of " + name
	}
	return name
}
