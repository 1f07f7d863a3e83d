package wiring

import (
	"slices"
	"time"

	"github.com/operatorvet/operatorvet/internal/library"
)

// Resync returns the resync period of the managers in the programs with a package:
// the longest that is set, 0 if one is not known. It is not ok if none is set.
func (m *Module) Resync(path string) (every time.Duration, ok bool) {
	for _, program := range m.mains {
		if !m.sees[program][path] {
			continue
		}
		for p := range m.sees[program] {
			s := m.surveys[p]
			if s == nil {
				continue
			}
			for _, given := range s.Resyncs {
				if m.isOther(s, given.In) {
					continue
				}
				d, known := m.period(program, s, given)
				if !known {
					return 0, true
				}
				every, ok = max(every, d), ok || d > 0
			}
		}
	}
	return every, ok
}

// isOther reports whether a value with a field for a resync period is certainly none of a
// manager's options, but something that the module or a library calls so, too.
func (m *Module) isOther(s *Survey, id ValueID) bool {
	owner, known := m.typeOf(s, id)
	if !known {
		return false
	}
	if m.types[owner] == nil {
		return !library.HasSyncPeriod(owner.Pkg, owner.Name)
	}
	_, has := m.holder(owner, library.SyncPeriod, 0)
	return has
}

// period returns the longest that a resync period may be in a program, 0 for none.
func (m *Module) period(program string, s *Survey, given Resync) (longest time.Duration, known bool) {
	r := m.periods(program)
	if !r.value(s, given.Of) || len(r.found) == 0 {
		return 0, false
	}
	return slices.Max(r.found), true
}

// setting returns the longest duration that a field may hold in the programs that know it,
// if their user sets nothing: the default of a flag or of a tag. It is 0 if that is not
// known, or if the field is no setting.
func (m *Module) setting(f member, decl *Field) (longest time.Duration) {
	if decl.Type != (TypeRef{Plain, duration}) {
		return 0
	}
	for _, program := range m.mains {
		if !m.sees[program][f.of.Pkg] {
			continue
		}
		r := m.periods(program)
		if decl.Default == 0 && !slices.ContainsFunc(slices.Concat(r.flags[f], r.stores(f)), r.has) {
			continue // it has another program's settings
		}
		if !r.field(f) || !r.setting || r.found[0] == 0 {
			return 0
		}
		longest = max(longest, slices.Max(r.found))
	}
	return longest
}

func (m *Module) periods(program string) *periods {
	return &periods{Module: m, program: m.sees[program], seen: make(map[step]bool), steps: maxResolved}
}

// A periods resolver finds the durations that a value in a program may have, if its user
// sets nothing: 0 for none. Its methods report false if that is not known.
type periods struct {
	*Module
	program map[string]bool // its packages
	found   []time.Duration // sorted
	setting bool            // a user may set one of them
	seen    map[step]bool
	steps   int
}

func (r *periods) add(d time.Duration) bool {
	if i, ok := slices.BinarySearch(r.found, d); !ok {
		r.found = slices.Insert(r.found, i, d)
	}
	return true
}

// value resolves a value.
func (r *periods) value(s *Survey, id ValueID) bool {
	at := step{s: s, id: id}
	if r.seen[at] {
		return false
	}
	r.seen[at] = true
	defer delete(r.seen, at)
	if r.steps--; r.steps < 0 {
		return false
	}
	switch v := s.Values[id]; v.Kind {
	case Nil:
		return r.add(0)
	case Number:
		return r.add(time.Duration(v.Num))
	case Default:
		r.setting = true
		return r.value(s, v.X)
	case Object:
		if v.Of.Pkg == "time" {
			return units[v.Of.Name] != 0 && r.add(units[v.Of.Name])
		}
		return r.place(r.flags[member{of: v.Of}], slices.DeleteFunc(slices.Clone(r.vars[v.Of]), isZero))
	case Result:
		return r.result(v.Of, v.Index)
	case Param:
		return v.Index >= 0 && r.param(v.Of, v.Index)
	case Member:
		if owner, ok := r.structOf(s, v.X); ok {
			if of, ok := r.holder(owner, v.Sel, 0); ok {
				return r.field(member{of: of, name: v.Sel})
			}
		}
	}
	return false
}

// isZero reports whether a package variable is declared with a type and no value.
func isZero(s stored) bool {
	v := s.by.Values[s.val]
	return s.init && v.Kind == Typed && v.Of == duration
}

// duration is the type of durations.
var duration = Name{"time", "Duration"}

// field resolves what a field holds.
func (r *periods) field(f member) bool {
	flags := r.flags[f]
	if every := r.types[f.of].field(f.name).Default; every != 0 && !slices.ContainsFunc(flags, r.has) {
		r.setting = true
		return r.add(every)
	}
	return r.place(flags, r.stores(f))
}

// stores returns what may be stored in a field.
func (r *periods) stores(f member) []stored {
	return slices.Concat(r.fields[f], r.unnamed[member{name: f.name}])
}

// structOf returns the type of a value, like typeOf. A variable that begins with what a
// function returns has its type, too.
func (r *periods) structOf(s *Survey, id ValueID) (Name, bool) {
	if v := s.Values[id]; v.Kind == Object && len(r.vars[v.Of]) > 0 {
		if first := r.vars[v.Of][0]; first.by.Values[first.val].Kind == Result {
			return r.typeOf(first.by, first.val)
		}
	}
	return r.typeOf(s, id)
}

// place resolves what a field or a variable holds before its user sets it: the defaults of
// its flags, or the one duration that is stored there. What is made with a value that is
// not known has another default. An assignment of such a value takes what a user sets:
//
//	settings := Settings{Period: 10 * time.Hour}
//	fromEnvironment(&settings.Period)
func (r *periods) place(flags, stores []stored) bool {
	for _, s := range flags {
		if r.has(s) && !r.value(s.by, s.val) {
			return false
		}
	}
	if slices.ContainsFunc(flags, r.has) {
		r.setting = true
		return true
	}
	held := &periods{Module: r.Module, program: r.program, seen: r.seen, steps: r.steps}
	for _, s := range stores {
		if r.has(s) && !held.value(s.by, s.val) && s.init {
			return false
		}
	}
	r.steps, r.setting = held.steps, r.setting || held.setting
	found := slices.DeleteFunc(held.found, func(d time.Duration) bool { return d == 0 })
	return len(found) == 1 && r.add(found[0])
}

// has reports whether the program has the package that stores something.
func (r *periods) has(s stored) bool { return r.program[s.by.Path] }

// result resolves a result of a function of the module.
func (r *periods) result(fn Name, index int) bool {
	decl := r.funcs[fn]
	if decl == nil || len(at(decl.Returns, index)) == 0 {
		return false
	}
	for _, id := range decl.Returns[index] {
		if !r.value(r.surveys[fn.Pkg], id) {
			return false
		}
	}
	return true
}

// param resolves what the program passes for a parameter of a function of the module. A
// method may be called through an interface.
func (r *periods) param(fn Name, index int) bool {
	if r.used[fn] || receiver(fn) != (Name{}) || len(r.calls[fn]) == 0 {
		return false
	}
	for _, call := range r.calls[fn] {
		if r.program[call.by.Path] && !r.value(call.by, at(call.args, index)) {
			return false
		}
	}
	return true
}
