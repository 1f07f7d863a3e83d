package flow

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/place"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A Showing says what the call tree of a function does with a field of a status that it
// reads:
//
//	thing.Status.ReadyReplicas = deployment.Status.ReadyReplicas
//
// A status is the structure whose name is that of an API object with Status behind it.
type Showing struct {
	// Type is the library.TypeName of the status, Field the name of the field.
	Type, Field string
	Use         Use
	// Into is the field that it is copied to, "type.field". It is empty for one of an
	// apply configuration.
	Into string
	// At is the first place where it does.
	At place.Place
}

// A Use is what is done with a value.
type Use int

const (
	// Decides: anything may depend on it.
	Decides Use = iota
	// Copied: it is copied into another status, and nothing else.
	Copied
)

// OnlyShown reports whether a field of a status is only copied into others that are only
// shown, too.
func OnlyShown(all []Showing, typ, field string) bool {
	return onlyShown(all, typ+"."+field, nil)
}

func onlyShown(all []Showing, field string, seen []string) bool {
	if slices.Contains(seen, field) {
		return true
	}
	seen = append(seen, field)
	return !slices.ContainsFunc(all, func(s Showing) bool {
		return s.Type == "" || s.Type+"."+s.Field == field && (s.Use == Decides || s.Into != "" && !onlyShown(all, s.Into, seen))
	})
}

// maxShows bounds the showings of a summary. Beyond it, anything may be decided: the one
// showing that is left has no type.
const maxShows = 200

// Shows returns what the call tree of fn, a function or function literal of the package,
// does with statuses, sorted.
func (p *Package) Shows(fn *ssa.Function) []Showing {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.summary(fn).Shows
}

// ShowsOf returns what the call tree of a function of another package does with statuses,
// sorted.
func (p *Package) ShowsOf(fn *types.Func) []Showing {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.imported(fn).Shows
}

// noteShowing notes what is done with v, a field of a status or the address of one.
func (in *interp) noteShowing(v ssa.Value, o origin.Origin) {
	named := library.NamedOf(o.X.Type())
	if o.Field == nil || !isStatus(named) {
		return
	}
	s := Showing{Type: library.TypeName(named), Field: o.Field.Name(), At: in.at(v.Pos())}
	for _, use := range usesOf(v, o.Addr) {
		s.Use, s.Into = use.use, use.into
		in.addShowing(s)
	}
}

// A showKey identifies a showing within a function.
type showKey struct {
	typ, field string
	use        Use
	into       string
}

func (in *interp) addShowing(s Showing) {
	key := showKey{s.Type, s.Field, s.Use, s.Into}
	if at, ok := in.shows[key]; !ok || s.At.Compare(at) < 0 {
		in.shows[key] = s.At
	}
}

// sortedShows returns the showings, sorted.
func (in *interp) sortedShows() []Showing {
	if len(in.shows) > maxShows {
		return []Showing{{Use: Decides}}
	}
	var all []Showing
	for key, at := range in.shows {
		all = append(all, Showing{Type: key.typ, Field: key.field, Use: key.use, Into: key.into, At: at})
	}
	slices.SortFunc(all, func(a, b Showing) int {
		return cmp.Or(strings.Compare(a.Type, b.Type), strings.Compare(a.Field, b.Field), cmp.Compare(a.Use, b.Use), strings.Compare(a.Into, b.Into))
	})
	return all
}

// isStatus reports whether the type is the status of an API object.
func isStatus(named *types.Named) bool {
	if named == nil || named.Obj().Pkg() == nil {
		return false
	}
	name, ok := strings.CutSuffix(named.Obj().Name(), "Status")
	if !ok {
		return false
	}
	obj, ok := named.Obj().Pkg().Scope().Lookup(name).(*types.TypeName)
	if !ok {
		return false
	}
	s, ok := obj.Type().Underlying().(*types.Struct)
	return ok && isObject(s)
}

// A fieldUse is a use of a field of a status.
type fieldUse struct {
	use  Use
	into string
}

// usesOf returns the uses of v, what a field has or its address. That it is assigned to is
// none.
func usesOf(v ssa.Value, isAddr bool) []fieldUse {
	var uses []fieldUse
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.DebugRef:
			continue
		case *ssa.Store:
			if isAddr && ref.Addr == v {
				continue
			}
			if field, of := origin.FieldOf(ref.Addr); !isAddr && field != nil && isStatus(library.NamedOf(of.Type())) {
				uses = append(uses, fieldUse{Copied, library.TypeName(library.NamedOf(of.Type())) + "." + field.Name()})
				continue
			}
		case *ssa.UnOp:
			if isAddr && origin.Of(ref).Kind == origin.Loaded {
				uses = append(uses, usesOf(ref, false)...)
				continue
			}
		case *ssa.Call:
			if !isAddr && library.Of(callee.Static(ref.Common())).Effect == library.SetsField {
				uses = append(uses, fieldUse{use: Copied})
				continue
			}
		}
		uses = append(uses, fieldUse{use: Decides})
	}
	return uses
}
