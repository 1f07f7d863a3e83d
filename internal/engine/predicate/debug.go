package predicate

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/text"
	"github.com/operatorvet/operatorvet/internal/library"
)

// Debug writes the answers of fn, a function or function literal of the package that
// decides about updates.
func (p *Package) Debug(w *text.Writer, fn *ssa.Function) {
	if f := p.own[fn]; f != nil {
		f.debug(w)
	} else if asked(fn) != nil {
		w.Linef("asked about updates: nothing is known of the answer")
	}
}

// DebugVariables writes the answers of the predicates in the package's exported
// variables, as they are in the fact.
func (p *Package) DebugVariables(w *text.Writer) {
	if p.ssa == nil {
		return
	}
	vars := p.variables(p.ssa)
	sortByName(vars)
	for i := range vars {
		vars[i].debug(w.Headingf("var %s", strings.TrimPrefix(vars[i].Name, p.pass.Pkg.Path()+".")))
	}
}

func (f *Func) debug(w *text.Writer) {
	for _, a := range f.Answers {
		typ := "any object"
		switch {
		case a.Type != "":
			typ = text.Name(a.Type)
		case len(f.Answers) > 1:
			typ = "any other object"
		}
		w.Linef("of %s: %s", typ, a)
	}
}

// String says which changes certainly pass, which are certainly dropped, and of which
// this is not known.
func (a Answer) String() string {
	var parts []string
	add := func(what string, changes library.Changes) {
		if changes != 0 {
			parts = append(parts, what+" "+Names(changes))
		}
	}
	add("passes", a.Yes&^a.No)
	add("drops", a.No&^a.Yes)
	add("either for", a.Yes&a.No)
	switch drops := a.No&^a.Yes != 0; { // what follows from the changes is not said
	case a.DropsResync && !drops:
		parts = append(parts, "drops resyncs")
	case drops && !a.DropsResync:
		parts = append(parts, "may pass resyncs")
	}
	return strings.Join(parts, "; ")
}

// Names returns the names of changes.
func Names(changes library.Changes) string {
	if changes == library.AnyChange {
		return "every change"
	}
	var names []string
	for i, name := range changeNames {
		if changes&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, ", ")
}

// changeNames are in the order of the constants.
var changeNames = [...]string{"generation", "status", "content", "labels", "annotations"}
