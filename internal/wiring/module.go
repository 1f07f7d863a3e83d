package wiring

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/operatorvet/operatorvet/internal/library"
)

// A Module joins the surveys of all packages of a module. It is immutable.
type Module struct {
	surveys  map[string]*Survey
	paths    []string                   // of the surveys, sorted
	sees     map[string]map[string]bool // the packages that one imports, directly or not, and itself
	mains    []string                   // the programs
	managing map[Program]bool           // those that make a manager, or controllers
	live     map[string]bool            // packages that are part of one

	types map[Name]*Type
	funcs map[Name]*Func

	fields  map[member][]stored
	unnamed map[member][]stored // with no type, by the name or the index of the field
	vars    map[Name][]stored
	flags   map[member][]stored // defaults, by the field or by the variable alone
	calls   map[Name][]passed
	methods map[string][]passed // by the name of the method
	used    map[Name]bool

	methodsBy map[Name][]string   // names of the methods that a type declares
	variables map[Name][]variable // fields and parameters of an interface type

	values map[string][]string // packages that use a method of this name as a value
	made   map[Name]bool

	ownClients    map[string]bool // packages; see addClients
	passedClients map[string]bool // packages; see addClients

	answers map[string]Answer
	asked   []Question // sorted
	needs   map[string][]string

	askableBy map[string][]int // indices into asked

	running map[string]bool // by path and name; nil if not known
	served  map[string]bool // by path and name; see findServed
	endless map[string]bool // by path and name; see findEndless

	reach reach
}

// A member is a field of a struct type.
type member struct {
	of    Name
	name  string
	index int
}

// A variable is a field, or a parameter of the function fn.
type variable struct {
	member
	fn Name
}

// stored is a value that a package stores.
type stored struct {
	by   *Survey
	val  ValueID
	init bool
}

// passed has the arguments that a package passes.
type passed struct {
	by   *Survey
	args []ValueID
}

// NewModule returns the module with these packages. They must be all packages of
// the module.
func NewModule(surveys []*Survey) *Module {
	m := &Module{
		surveys:       make(map[string]*Survey),
		sees:          make(map[string]map[string]bool),
		live:          make(map[string]bool),
		managing:      make(map[Program]bool),
		types:         make(map[Name]*Type),
		funcs:         make(map[Name]*Func),
		fields:        make(map[member][]stored),
		unnamed:       make(map[member][]stored),
		vars:          make(map[Name][]stored),
		flags:         make(map[member][]stored),
		calls:         make(map[Name][]passed),
		methods:       make(map[string][]passed),
		used:          make(map[Name]bool),
		values:        make(map[string][]string),
		made:          make(map[Name]bool),
		ownClients:    make(map[string]bool),
		passedClients: make(map[string]bool),

		methodsBy: make(map[Name][]string),
		variables: make(map[Name][]variable),
	}
	for _, s := range surveys {
		if m.surveys[s.Path] == nil {
			m.surveys[s.Path] = s
			m.paths = append(m.paths, s.Path)
		}
	}
	slices.Sort(m.paths)
	for _, path := range m.paths {
		m.findSeen(path)
	}
	for _, path := range m.paths {
		s := m.surveys[path]
		for i := range s.Types {
			m.types[Name{path, s.Types[i].Name}] = &s.Types[i]
		}
		for i := range s.Funcs {
			m.funcs[Name{path, s.Funcs[i].Name}] = &s.Funcs[i]
		}
		if s.Main {
			m.mains = append(m.mains, path)
			for seen := range m.sees[path] {
				m.live[seen] = true
				m.managing[path] = m.managing[path] || m.surveys[seen] != nil && m.surveys[seen].Manages
			}
		}
	}
	for _, add := range []func(*Survey){m.addVariables, m.add} {
		for _, path := range m.paths {
			if m.live[path] {
				add(m.surveys[path])
			}
		}
	}
	m.findVariables()
	m.answer()
	m.askableBy = make(map[string][]int)
	for path := range m.live {
		m.findAskable(path)
	}
	m.findNeeds()
	m.findRunning()
	return m
}

// findVariables finds the variables of interface types.
func (m *Module) findVariables() {
	add := func(ref TypeRef, v variable) {
		if of := m.unalias(ref.Of); ref.Shape == Plain && m.types[of] != nil && m.types[of].Kind == Interface {
			m.variables[of] = append(m.variables[of], v)
		}
	}
	for _, path := range m.paths {
		if !m.live[path] {
			continue
		}
		for _, t := range m.surveys[path].Types {
			for i, f := range t.Fields {
				add(f.Type, variable{member: member{of: Name{path, t.Name}, name: f.Name, index: i}})
			}
		}
		for _, fn := range m.surveys[path].Funcs {
			name := Name{path, fn.Name}
			if recv := receiver(name); recv != (Name{}) {
				m.methodsBy[recv] = append(m.methodsBy[recv], fn.Name[len(recv.Name)+1:])
			}
			for i, param := range fn.Params {
				add(param, variable{fn: name, member: member{index: i}})
			}
		}
	}
}

// findSeen finds the packages that a package sees, and returns them.
func (m *Module) findSeen(path string) map[string]bool {
	if seen, ok := m.sees[path]; ok {
		return seen
	}
	seen := map[string]bool{path: true}
	m.sees[path] = seen // imports have no cycles, but files may change meanwhile
	if s := m.surveys[path]; s != nil {
		for _, imp := range s.Imports {
			maps.Copy(seen, m.findSeen(imp))
		}
	}
	return seen
}

// addVariables adds what a package stores in package variables.
func (m *Module) addVariables(s *Survey) {
	for _, store := range s.Stores {
		if to := s.Values[store.To]; to.Kind == Object {
			m.vars[to.Of] = append(m.vars[to.Of], stored{s, store.Val, store.Init})
		}
	}
}

// add adds what a package stores in fields, and what it calls.
func (m *Module) add(s *Survey) {
	for _, store := range s.Stores {
		to := s.Values[store.To]
		val := stored{s, store.Val, store.Init}
		if to.Kind == Object {
			continue
		}
		owner, known := m.typeOf(s, to.X)
		switch {
		case !known:
			key := member{name: to.Sel, index: to.Index}
			m.unnamed[key] = append(m.unnamed[key], val)
		case m.types[owner] != nil:
			for _, f := range m.fieldsAt(owner, to) {
				m.fields[f] = append(m.fields[f], val)
			}
		}
	}
	for _, store := range s.Defaults {
		to := s.Values[store.To]
		val := stored{by: s, val: store.Val}
		if to.Kind == Object {
			m.flags[member{of: to.Of}] = append(m.flags[member{of: to.Of}], val)
		} else if owner, ok := m.typeOf(s, to.X); ok && m.types[owner] != nil {
			for _, f := range m.fieldsAt(owner, to) {
				m.flags[f] = append(m.flags[f], val)
			}
		}
	}
	for _, call := range s.Calls {
		fn := s.Values[call.Func]
		if fn.Kind == Object {
			m.calls[fn.Of] = append(m.calls[fn.Of], passed{s, call.Args})
			if t := m.types[fn.Of]; t != nil && t.Kind != Interface {
				// A conversion copies the fields of another type.
				for _, f := range t.Fields {
					key := member{of: fn.Of, name: f.Name}
					m.fields[key] = append(m.fields[key], stored{by: s})
				}
			}
			continue
		}
		args := call.Args
		if x := s.Values[fn.X]; x.Kind == Object && m.types[x.Of] != nil {
			args = nil // of a method expression, whose first argument is the receiver
		}
		m.methods[fn.Sel] = append(m.methods[fn.Sel], passed{s, args})
	}
	for _, name := range s.Used {
		m.used[name] = true
	}
	for _, path := range s.Dots {
		if imported := m.surveys[path]; imported != nil {
			for _, fn := range imported.Funcs {
				m.used[Name{path, fn.Name}] = true // it may be called under the plain name
			}
		}
	}
	for _, name := range s.Methods {
		m.values[name] = append(m.values[name], s.Path)
	}
	m.addClients(s)
	for _, name := range s.Made {
		m.made[m.unalias(name)] = true
	}
}

// fieldsAt returns the fields that a store to a field of the type reaches: the
// field of this name or index, or the promoted field of an embedded struct.
func (m *Module) fieldsAt(owner Name, to Value) []member {
	t := m.types[owner]
	if to.Sel == "" {
		if to.Index < len(t.Fields) {
			return []member{{of: owner, name: t.Fields[to.Index].Name}}
		}
		return nil
	}
	if of, ok := m.holder(owner, to.Sel, 0); ok {
		return []member{{of: of, name: to.Sel}}
	}
	return nil
}

// maxDepth bounds the depth of embedded fields and of declared types.
const maxDepth = 5

// holder returns the struct type that has a field, itself or an embedded one.
func (m *Module) holder(owner Name, field string, depth int) (Name, bool) {
	t := m.types[owner]
	if t == nil || depth > maxDepth {
		return Name{}, false
	}
	if t.field(field) != nil {
		return owner, true
	}
	if t.Kind == Defined {
		return m.holder(m.unalias(t.Under.Of), field, depth+1)
	}
	for _, embedded := range t.Embeds {
		if of, ok := m.holder(m.unalias(embedded.Of), field, depth+1); ok {
			return of, true
		}
	}
	return Name{}, false
}

func (t *Type) field(name string) *Field {
	for i := range t.Fields {
		if t.Fields[i].Name == name {
			return &t.Fields[i]
		}
	}
	return nil
}

// unalias returns the type that a name stands for.
func (m *Module) unalias(name Name) Name {
	for range maxDepth {
		t := m.types[name]
		if t == nil || t.Kind != Alias || t.Under.Shape != Plain {
			break
		}
		name = t.Under.Of
	}
	return name
}

// typeOf returns the type of a value, or of what it points to. It is not ok if
// the type is unknown or is no named type.
func (m *Module) typeOf(s *Survey, id ValueID) (Name, bool) {
	v := s.Values[id]
	switch v.Kind {
	case Instance, Typed:
		return m.unalias(v.Of), true
	case Object:
		if vals := m.vars[v.Of]; len(vals) > 0 {
			// The initial value tells, if it comes first.
			if s, val := vals[0].by, vals[0].val; s.Values[val].Kind == Instance || s.Values[val].Kind == Typed {
				return m.typeOf(s, val)
			}
		}
	case Result:
		if fn := m.funcs[v.Of]; fn != nil {
			return m.named(at(fn.Results, v.Index))
		}
	case Param:
		if v.Index < 0 {
			return receiver(v.Of), true
		}
		if fn := m.funcs[v.Of]; fn != nil {
			return m.named(at(fn.Params, v.Index))
		}
	case Member:
		if owner, ok := m.typeOf(s, v.X); ok {
			if of, ok := m.holder(owner, v.Sel, 0); ok {
				return m.named(m.types[of].field(v.Sel).Type)
			}
		}
	case Method:
		if owner, ok := m.typeOf(s, v.X); ok {
			if fn := m.funcs[Name{owner.Pkg, owner.Name + "." + v.Sel}]; fn != nil {
				return m.named(at(fn.Results, v.Index))
			}
		}
	}
	return Name{}, false
}

// named returns the type that a reference names, itself or as a pointer's.
func (m *Module) named(ref TypeRef) (Name, bool) {
	return m.unalias(ref.Of), ref.Shape == Plain || ref.Shape == Pointer
}

func at[T any](list []T, i int) (elem T) {
	if i < len(list) {
		return list[i]
	}
	return elem
}

// receiver returns the type of a method's receiver.
func receiver(method Name) Name {
	for i := range len(method.Name) {
		if method.Name[i] == '.' {
			return Name{method.Pkg, method.Name[:i]}
		}
	}
	return Name{}
}

// A Target is what a field may hold.
type Target struct {
	Kind Kind // Object: a function; Instance: a value of a type; Result: what a library's function returns
	Of   Name
}

// An Answer is the set of all targets that a field may hold, sorted, or of the
// types that stand behind an interface. An answer that is not known is not given.
type Answer struct {
	Targets []Target
	// Every is the longest that a field of a duration may be, if its user sets nothing.
	Every time.Duration
	// Promoted are types that implement the interface, too, if what they embed has
	// all these methods. Only the types of libraries tell.
	Promoted []Promoted
}

// Promoted says which methods a type must get from the library's types that it
// embeds.
type Promoted struct {
	Embeds  []Name
	Methods []string
}

// A Question asks for what a field of a struct type holds, or for the types
// behind the interface Of if Field is empty.
type Question struct {
	Of    Name
	Field string
}

func (q Question) String() string {
	if q.Field == "" {
		return q.Of.Pkg + "." + q.Of.Name
	}
	return q.Of.Pkg + "." + q.Of.Name + "." + q.Field
}

// answer answers all questions that have an answer.
func (m *Module) answer() {
	m.answers = make(map[string]Answer)
	put := func(q Question, a Answer) {
		slices.SortFunc(a.Targets, func(a, b Target) int {
			return cmp.Or(cmp.Compare(a.Kind, b.Kind), compareNames(a.Of, b.Of))
		})
		m.answers[q.String()] = a
		m.asked = append(m.asked, q)
	}
	selected := make(map[string]bool)
	for path := range m.live {
		for _, name := range m.surveys[path].Selected {
			selected[name] = true
		}
	}
	for _, path := range m.paths {
		if !m.live[path] {
			continue
		}
		for i := range m.surveys[path].Types {
			t := &m.surveys[path].Types[i]
			name := Name{path, t.Name}
			if t.Kind == Interface {
				if a, ok := m.implementations(name, t); ok {
					put(Question{Of: name}, a)
				}
			}
			for i := range t.Fields {
				f := &t.Fields[i]
				if !selected[f.Name] {
					continue
				}
				if every := m.setting(member{of: name, name: f.Name}, f); every > 0 {
					put(Question{name, f.Name}, Answer{Every: every})
				}
				if !m.mayHold(f) {
					continue
				}
				r := m.resolver()
				if r.field(member{of: name, name: f.Name}, i) && len(r.targets) > 0 {
					put(Question{name, f.Name}, Answer{Targets: r.targets})
				}
			}
		}
	}
	slices.SortFunc(m.asked, func(a, b Question) int { return cmp.Or(compareNames(a.Of, b.Of), cmp.Compare(a.Field, b.Field)) })
}

// mayHold reports whether a field may be a function or an interface. A field with
// a tag is decoded: it is data.
func (m *Module) mayHold(f *Field) bool {
	switch {
	case f.Tagged:
		return false
	case f.Type.Shape == Function:
		return true
	case f.Type.Shape != Plain:
		return false
	}
	of := m.unalias(f.Type.Of)
	t := m.types[of]
	if t == nil {
		return m.surveys[of.Pkg] == nil // a library's
	}
	return t.Kind == Interface || t.Kind == Defined && t.Under.Shape != Container
}

// implementations returns the types that may stand behind an interface: all types
// of the module that have its methods, in the programs that know both. It is not ok
// if the interface has methods that are not known by name, or if a type of a library
// certainly stands behind it. As in package callee, an interface that the module
// declares and implements is assumed to have no other implementations.
func (m *Module) implementations(name Name, iface *Type) (a Answer, ok bool) {
	want, ok := m.methodsOf(iface, 0)
	// The methods of code that is not surveyed are not known.
	generated := func(name string) bool { return strings.HasPrefix(name, "DeepCopy") }
	if !ok || len(want) == 0 || slices.ContainsFunc(want, generated) || m.holdsLibrary(name) {
		return a, false
	}
	for _, path := range m.paths {
		if !m.live[path] || !m.meet(path, name.Pkg) {
			continue
		}
		for i := range m.surveys[path].Types {
			t := &m.surveys[path].Types[i]
			of := Name{path, t.Name}
			if t.Kind == Interface || t.Kind == Alias || !m.made[of] || t.isMock() {
				continue
			}
			has := make(map[string]bool)
			var embeds []Name
			m.methodNames(of, has, &embeds, 0)
			missing := slices.DeleteFunc(slices.Clone(want), func(name string) bool { return has[name] })
			switch {
			case len(missing) == 0, len(embeds) > 0 && len(missing) < len(want):
				a.Targets = append(a.Targets, Target{Instance, of})
			case len(embeds) > 0:
				p := Promoted{embeds, missing}
				if !slices.ContainsFunc(a.Promoted, func(q Promoted) bool {
					return slices.Equal(p.Embeds, q.Embeds) && slices.Equal(p.Methods, q.Methods)
				}) {
					a.Promoted = append(a.Promoted, p)
				}
			}
			if len(a.Targets) > maxTargets {
				return a, false
			}
		}
	}
	return a, len(a.Targets) > 0
}

// isMock reports whether the type stands for another one in tests.
func (t *Type) isMock() bool {
	return slices.ContainsFunc(t.Fields, func(f Field) bool { return library.TraitsOf(f.Type.Of.Pkg).Has(library.Mocks) })
}

// holdsLibrary reports whether a variable of an interface type holds something that
// a library made.
func (m *Module) holdsLibrary(iface Name) bool {
	for _, v := range m.variables[iface] {
		r := m.resolver()
		if v.fn != (Name{}) {
			r.param(v.fn, v.index)
		} else {
			r.field(member{of: v.of, name: v.name}, v.index)
		}
		if slices.ContainsFunc(r.targets, func(t Target) bool { return t.Kind != Instance || m.types[t.Of] == nil }) {
			return true
		}
	}
	return false
}

// meet reports whether both packages are part of one program.
func (m *Module) meet(a, b string) bool {
	return slices.ContainsFunc(m.mains, func(path string) bool { return m.sees[path][a] && m.sees[path][b] })
}

// methodsOf returns the names of an interface's methods.
func (m *Module) methodsOf(iface *Type, depth int) ([]string, bool) {
	names := slices.Clone(iface.Methods)
	for _, embedded := range iface.Embeds {
		t := m.types[m.unalias(embedded.Of)]
		if t == nil || t.Kind != Interface || depth > maxDepth {
			return nil, false
		}
		more, ok := m.methodsOf(t, depth+1)
		if !ok {
			return nil, false
		}
		names = append(names, more...)
	}
	return names, true
}

// methodNames adds the names of the methods of a type, and the types of libraries
// that it embeds.
func (m *Module) methodNames(of Name, has map[string]bool, embeds *[]Name, depth int) {
	of = m.unalias(of)
	t := m.types[of]
	if t == nil || depth > maxDepth {
		*embeds = append(*embeds, of)
		return
	}
	for _, name := range m.methodsBy[of] {
		has[name] = true
	}
	for _, name := range t.Methods {
		has[name] = true
	}
	for _, embedded := range t.Embeds {
		m.methodNames(embedded.Of, has, embeds, depth+1)
	}
}

// findNeeds finds the packages that answers name and that a package does not see.
// It may look at one of these if that does not see it in turn.
func (m *Module) findNeeds() {
	m.needs = make(map[string][]string)
	edges := make(map[string][]string)
	for _, path := range m.paths {
		edges[path] = slices.Clone(m.surveys[path].Imports)
	}
	for _, path := range m.paths {
		named := make(map[string]bool)
		m.askable(path, func(_ Question, a Answer) {
			for _, t := range a.Targets {
				if m.surveys[t.Of.Pkg] != nil && !m.sees[path][t.Of.Pkg] {
					named[t.Of.Pkg] = true
				}
			}
		})
		for _, need := range m.paths {
			if named[need] && !reaches(edges, need, path, make(map[string]bool)) {
				edges[path] = append(edges[path], need)
				m.needs[path] = append(m.needs[path], need)
			}
		}
	}
}

func reaches(edges map[string][]string, from, to string, seen map[string]bool) bool {
	if from == to {
		return true
	}
	seen[from] = true
	for _, next := range edges[from] {
		if !seen[next] && reaches(edges, next, to, seen) {
			return true
		}
	}
	return false
}

// Needs returns the packages whose functions and types a package must know to use
// its view, and which it does not import. They do not depend on the package, nor
// on each other in a cycle.
func (m *Module) Needs(path string) []string {
	if m == nil {
		return nil
	}
	return m.needs[path]
}

// askable calls f for the questions that a package can ask, in order.
func (m *Module) askable(path string, f func(Question, Answer)) {
	for _, i := range m.askableBy[path] {
		f(m.asked[i], m.answers[m.asked[i].String()])
	}
}

// findAskable finds the questions that a package can ask: those about types that it
// sees, and about names that it or a package that it sees mentions.
func (m *Module) findAskable(path string) {
	seen := m.sees[path]
	mentioned := make(map[string]bool)
	for p := range seen {
		if s := m.surveys[p]; s != nil {
			for _, name := range s.Selected {
				mentioned[name] = true
			}
		}
	}
	for i, q := range m.asked {
		if !seen[q.Of.Pkg] || q.Field != "" && !mentioned[q.Field] {
			continue
		}
		if q.Field == "" && !slices.ContainsFunc(m.types[q.Of].Methods, func(name string) bool { return mentioned[name] }) && len(m.types[q.Of].Embeds) == 0 {
			continue
		}
		m.askableBy[path] = append(m.askableBy[path], i)
	}
}
