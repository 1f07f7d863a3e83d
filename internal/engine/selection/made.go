package selection

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/decision"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A map function may compare the name of the object with one that it makes of another
// object:
//
//	func (t *Thing) SecretName() string {
//		if t.Spec.SecretName != "" {
//			return t.Spec.SecretName
//		}
//		return t.Name + "-credentials"
//	}
//
// No name that ends otherwise, and is in no spec, is such a name.

// A Text is what is known of a string: what it may end in, sorted. If OfSpec is set, it may
// also be one that the spec of an object has.
type Text struct {
	OfSpec  bool
	Endings []string
}

// A Maker is a function that makes a text of an object.
type Maker struct {
	Name string
	Text
}

// value returns the value of the text.
func (t Text) value() decision.Value {
	v := decision.Value{Side: made, Path: strings.Join(t.Endings, "\n")}
	if t.OfSpec {
		v.Side = given
	}
	return v
}

// or returns what is known of a string that is one of two.
func (t Text) or(u Text) Text {
	t.OfSpec = t.OfSpec || u.OfSpec
	t.Endings = append(slices.Clip(t.Endings), u.Endings...)
	slices.Sort(t.Endings)
	t.Endings = slices.Compact(t.Endings)
	return t
}

// makersOf returns those of the functions that make a text, sorted.
func (p *Package) makersOf(funcs []*ssa.Function) []Maker {
	var makers []Maker
	for _, fn := range funcs {
		if text, ok := p.madeBy(fn, 0); ok {
			makers = append(makers, Maker{decision.NameOf(fn), text})
		}
	}
	slices.SortFunc(makers, func(a, b Maker) int { return strings.Compare(a.Name, b.Name) })
	return makers
}

// madeBy returns what is known of the string that a function returns.
func (p *Package) madeBy(fn *ssa.Function, depth int) (Text, bool) {
	if res := fn.Signature.Results(); res.Len() != 1 || !library.IsString(res.At(0).Type()) {
		return Text{}, false
	}
	return p.oneOf(origin.Returned(fn, 0), depth)
}

// oneOf returns what is known of a string that is one of several.
func (p *Package) oneOf(values []ssa.Value, depth int) (Text, bool) {
	var all Text
	for _, v := range values {
		text, ok := p.textOf(v, depth+1)
		if !ok {
			return Text{}, false
		}
		all = all.or(text)
	}
	return all, len(values) > 0
}

// textOf returns what is known of a string. It is not ok if that is nothing.
func (p *Package) textOf(v ssa.Value, depth int) (text Text, ok bool) {
	if depth > maxMade || !library.IsString(v.Type()) {
		return Text{}, false
	}
	switch o := origin.Of(v); o.Kind {
	case origin.Constant:
		if s, ok := constants.String(v); ok && s != "" {
			return Text{Endings: []string{s}}, true
		}
		return Text{}, true // no object has the empty name
	case origin.Renamed, origin.Converted:
		return p.textOf(o.X, depth+1)
	case origin.Choice:
		if phi, ok := v.(*ssa.Phi); ok {
			return p.oneOf(phi.Edges, depth)
		}
	case origin.Loaded, origin.Field, origin.Element:
		return Text{OfSpec: true}, isInSpec(v)
	case origin.Computed:
		if o.Op == token.ADD {
			return p.endingOf(o.Y, depth)
		}
	case origin.Result:
		return p.textOfCall(o.Call, depth)
	}
	return Text{}, false
}

// endingOf returns what a string ends in that ends in v.
func (p *Package) endingOf(v ssa.Value, depth int) (Text, bool) {
	text, ok := p.textOf(v, depth+1)
	return text, ok && !text.OfSpec && len(text.Endings) > 0
}

// textOfCall returns what is known of the string that a call returns.
func (p *Package) textOfCall(call *ssa.Call, depth int) (Text, bool) {
	if body := callee.Body(&call.Call); body != nil {
		return p.madeBy(body, depth)
	}
	fn := callee.Static(&call.Call)
	if fn == nil {
		return Text{}, false
	}
	if library.TraitsOfPackage(fn.Pkg()).Has(library.Prints) && fn.Name() == "Sprintf" {
		return p.printed(callee.Args(&call.Call), depth)
	}
	text, ok := p.makers[library.Name(fn)]
	return text, ok
}

// printed returns what a formatted string ends in: text behind the last verb, or the last
// argument.
func (p *Package) printed(args []ssa.Value, depth int) (Text, bool) {
	format, ok := constants.String(args[0])
	last := strings.LastIndex(format, "%")
	if !ok || last < 0 || last+1 == len(format) {
		return Text{}, false
	}
	verb, rest := format[last+1], format[last+2:]
	elems, _ := origin.Listed(args[1])
	switch {
	case verb != 's' && verb != 'v' || strings.Contains(format, "%%"):
		return Text{}, false
	case rest != "":
		return Text{Endings: []string{rest}}, true
	case len(elems) == 0 || len(elems) != strings.Count(format, "%"):
		return Text{}, false
	}
	return p.endingOf(unboxed(elems[len(elems)-1]), depth)
}

// isInSpec reports whether v is a part of the spec of an object.
func isInSpec(v ssa.Value) bool {
	for {
		switch o := origin.Of(v); o.Kind {
		case origin.Field:
			if o.FieldName() == "Spec" && isObject(types.NewPointer(library.Deref(o.X.Type()))) {
				return true
			}
			v = o.X
		case origin.Loaded, origin.Element, origin.Renamed:
			v = o.X
		default:
			return false
		}
	}
}
