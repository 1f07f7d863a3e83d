package wiring

import "slices"

const (
	maxTargets  = 16  // a field with more is unknown
	maxResolved = 400 // values that one question may look at
)

// A resolver finds the targets of one question. Its methods report false if there
// may be others.
type resolver struct {
	*Module
	targets []Target
	seen    map[step]bool
	steps   int
}

func (m *Module) resolver() *resolver {
	return &resolver{Module: m, seen: make(map[step]bool), steps: maxResolved}
}

// A step is a value, a field or a function's result that was looked at.
type step struct {
	s      *Survey
	id     ValueID
	member member
	fn     Name
	index  int
}

// once reports whether a step is new, so that recursion ends.
func (r *resolver) once(s step) bool {
	if r.seen[s] {
		return false
	}
	r.seen[s] = true
	return true
}

func (r *resolver) add(t Target) bool {
	if !slices.Contains(r.targets, t) {
		r.targets = append(r.targets, t)
	}
	return len(r.targets) <= maxTargets
}

// field resolves what a field holds, which is number index of its struct.
func (r *resolver) field(f member, index int) bool {
	if !r.once(step{member: f}) {
		return true
	}
	for _, stores := range [][]stored{r.fields[f], r.unnamed[member{name: f.name}], r.unnamed[member{index: index}]} {
		for _, s := range stores {
			if r.sees[s.by.Path][f.of.Pkg] && !r.value(s.by, s.val) {
				return false
			}
		}
	}
	return true
}

// value resolves a value.
func (r *resolver) value(s *Survey, id ValueID) bool {
	if !r.once(step{s: s, id: id}) {
		return id != 0
	}
	if r.steps--; r.steps < 0 {
		return false
	}
	v := s.Values[id]
	switch v.Kind {
	case Nil, Number, Default:
		return true
	case Instance:
		return r.add(Target{Instance, r.unalias(v.Of)})
	case Object:
		switch {
		case r.funcs[v.Of] != nil || r.surveys[v.Of.Pkg] == nil:
			return r.add(Target{Object, v.Of})
		case len(r.vars[v.Of]) > 0:
			return r.all(r.vars[v.Of])
		}
	case Result:
		if r.types[v.Of] != nil {
			return r.instanceOf(v.Of)
		}
		if r.surveys[v.Of.Pkg] == nil && v.Index == 0 {
			return r.add(Target{Result, v.Of})
		}
		return r.result(v.Of, v.Index)
	case Method:
		if owner, ok := r.typeOf(s, v.X); ok {
			return r.result(Name{owner.Pkg, owner.Name + "." + v.Sel}, v.Index)
		}
	case Typed:
		return r.instanceOf(v.Of)
	case Param:
		if v.Index < 0 {
			return r.instanceOf(receiver(v.Of))
		}
		return r.param(v.Of, v.Index)
	case Member:
		owner, ok := r.typeOf(s, v.X)
		if !ok {
			return false
		}
		if of, ok := r.holder(owner, v.Sel, 0); ok {
			t := r.types[of]
			index := slices.IndexFunc(t.Fields, func(f Field) bool { return f.Name == v.Sel })
			if f := t.Fields[index]; f.Tagged || f.Type.Shape == Pointer {
				return r.declared(f.Type)
			}
			return r.field(member{of: of, name: v.Sel}, index)
		}
		method := Name{owner.Pkg, owner.Name + "." + v.Sel}
		if r.funcs[method] != nil || r.surveys[owner.Pkg] == nil {
			return r.add(Target{Object, method})
		}
	}
	return false
}

// all resolves stored values.
func (r *resolver) all(values []stored) bool {
	for _, s := range values {
		if !r.value(s.by, s.val) {
			return false
		}
	}
	return true
}

// instanceOf adds a type, if it is a concrete type of the module.
func (r *resolver) instanceOf(name Name) bool {
	name = r.unalias(name)
	t := r.types[name]
	return t != nil && t.Kind == Struct && r.add(Target{Instance, name})
}

// declared adds the type of a variable, if that is a concrete type of the module.
func (r *resolver) declared(ref TypeRef) bool {
	name, ok := r.named(ref)
	return ok && r.instanceOf(name)
}

// result resolves a result of a function of the module.
func (r *resolver) result(fn Name, index int) bool {
	decl := r.funcs[fn]
	if decl == nil {
		return false
	}
	if r.declared(at(decl.Results, index)) {
		return true
	}
	returns := at(decl.Returns, index)
	if len(returns) == 0 {
		return false
	}
	for _, id := range returns {
		if !r.value(r.surveys[fn.Pkg], id) {
			return false
		}
	}
	return true
}

// param resolves what callers pass for a parameter of a function of the module.
func (r *resolver) param(fn Name, index int) bool {
	decl := r.funcs[fn]
	if decl == nil {
		return false
	}
	if r.declared(decl.Params[index]) {
		return true
	}
	if decl.Variadic && index == len(decl.Params)-1 {
		return false
	}
	calls := r.calls[fn]
	if recv := receiver(fn); recv != (Name{}) {
		name := fn.Name[len(recv.Name)+1:]
		calls = r.methods[name]
		if slices.ContainsFunc(r.values[name], func(path string) bool { return r.sees[path][fn.Pkg] }) {
			return false
		}
	} else if r.used[fn] {
		return false
	}
	for _, call := range calls {
		if r.sees[call.by.Path][fn.Pkg] && !r.value(call.by, at(call.args, index)) {
			return false
		}
	}
	return true
}
