package wiring

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
	"sync"
)

// A Program is a program of the module: the path of its package main.
type Program = string

// reach answers which functions the programs run. It is only made for who asks: the rules
// do not.
type reach struct {
	once sync.Once
	by   map[Program]map[string]bool // by path and name
}

// find follows the names in each program, from main, from initialisation, and from what
// frameworks call.
func (r *reach) find(m *Module) {
	r.by = make(map[Program]map[string]bool)
	for _, program := range m.mains {
		g := &graph{uses: make(map[string]*Use), methods: make(map[string][]string)}
		for path := range m.sees[program] {
			if s := m.surveys[path]; s != nil {
				g.add(s)
			}
		}
		r.by[program] = g.follow(func(name string, use *Use) bool {
			return use.Called || use.By == "init" || use.By == "_" || name == program+".main"
		}, func(*Use) bool { return true })
	}
}

// KnowsPrograms reports whether the programs of the module are known.
func (v *View) KnowsPrograms() bool { return v != nil && v.of != nil && len(v.of.mains) > 0 }

// Programs returns the programs that the package is part of, sorted.
func (v *View) Programs() []Program {
	if !v.KnowsPrograms() {
		return nil
	}
	var all []Program
	for _, program := range v.of.mains {
		if v.of.sees[program][v.pkg.Path()] {
			all = append(all, program)
		}
	}
	slices.Sort(all)
	return all
}

// RunBy returns the programs that may run fn, a function or method of the package, as far
// as names lead to it. A library may call a method of which no name tells.
func (v *View) RunBy(fn *types.Func) []Program {
	if !v.KnowsPrograms() || fn == nil || fn.Pkg() != v.pkg {
		return nil
	}
	r := &v.of.reach
	r.once.Do(func() { r.find(v.of) })
	name := v.pkg.Path() + "." + declaredName(fn)
	return slices.DeleteFunc(v.Programs(), func(program Program) bool { return !r.by[program][name] })
}

// add adds what the functions and variables of a package use.
func (g *graph) add(s *Survey) {
	for i := range s.Uses {
		use := &s.Uses[i]
		name := s.Path + "." + use.By
		if g.uses[name] != nil { // init or _, which nobody names
			name = fmt.Sprint(name, i)
		}
		g.uses[name] = use
		if _, method, ok := strings.Cut(use.By, "."); ok {
			g.methods["."+method] = append(g.methods["."+method], name)
		}
	}
}
