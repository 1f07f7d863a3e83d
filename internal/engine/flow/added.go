package flow

import (
	"go/token"
	"go/types"
	"iter"
	"regexp"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/callee"
	"github.com/operatorvet/operatorvet/internal/ssa/cfg"
	"github.com/operatorvet/operatorvet/internal/ssa/constants"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// A number or a text differs each time if each reconcile adds to what was read:
//
//	thing.Status.Reconciles++
//	history := thing.Annotations["history"] + "," + revision
//	thing.Annotations["history"] = history
//
// The label is that of a list that grows. It does not grow if something is compared with the
// number: there may be a last one. A failure that is counted comes to an end, too: the
// work succeeds, or somebody looks at the count.

// growsValue is what makes a number or a text grow.
const growsValue = "addition to the stored value"

// GrowsValue reports whether the label is of a number or a text that grows, and not of a list.
func (l Label) GrowsValue() bool { return l.Kind == Grown && l.What == growsValue }

// addedTo returns the label of the number or text that the instruction stores, if that is
// what was there with something added.
func (in *interp) addedTo(fr *frame, s *ssa.Store, addr value, st *heap) (Label, bool) {
	if !isNumberOrText(s.Val.Type()) {
		return Label{}, false
	}
	return in.sumStored(fr, s, s.Val, addr, st, func(v ssa.Value) bool {
		o := origin.Of(v)
		return o.Kind == origin.Loaded && (sameAddress(o.X, s.Addr) || sameField(o.X, s.Addr))
	})
}

// addedToEntry is addedTo for an entry of a map.
func (in *interp) addedToEntry(fr *frame, m *ssa.MapUpdate, dest value, st *heap) (Label, bool) {
	name, known := in.text(m.Key)
	if !known || !isNumberOrText(m.Value.Type()) {
		return Label{}, false
	}
	entries := value{unknown: dest.unknown}
	for _, r := range dest.refs {
		entries.refs = append(entries.refs, r.under(access.Entry(name)))
	}
	return in.sumStored(fr, m, m.Value, entries, st, in.isEntryOf(m.Key))
}

// isEntryOf returns whether a value is the entry of a map under the key.
func (in *interp) isEntryOf(key ssa.Value) func(ssa.Value) bool {
	return func(v ssa.Value) bool {
		o := origin.Of(v)
		return o.Kind == origin.Element && in.sameKey(o.Key, key)
	}
}

// addedToMetadata is addedTo for an entry of labels or annotations that a library sets.
func (in *interp) addedToMetadata(fr *frame, s *callSite, at []loc) (Label, bool) {
	if s.vals[1] == nil || s.vals[2] == nil {
		return Label{}, false
	}
	return in.sumStored(fr, s.instr, s.vals[2], value{refs: at}, s.st, in.isEntryOf(s.vals[1]))
}

// storedArg returns the labels of an argument of the call that the callee stores at the places as
// it is, with a name that is another argument, if that is a sum as in addedTo or the version of an
// object as in ownVersion:
//
//	setAnnotation(thing, "reconciles", strconv.Itoa(n+1))
func (im *importer) storedArg(ch Change, at []loc) (ls labels) {
	in, s := im.in, im.s
	var val, key ssa.Value
	for _, l := range ch.Val.Labels {
		if l.Kind != Content || !l.Path.IsRoot() || l.Given != 0 || l.Param >= len(s.vals) || s.vals[l.Param] == nil {
			return nil
		}
		switch arg := s.vals[l.Param]; {
		case l.Fixed && key == nil:
			key = arg
		case !l.Fixed && val == nil:
			val = arg
		default:
			return nil
		}
	}
	if val == nil || ch.Path.IsRoot() || !isNumberOrText(val.Type()) {
		return nil
	}
	isOld := func(v ssa.Value) bool {
		field, _ := origin.FieldOf(v)
		return field != nil && field.Name() == ch.Path.LastField()
	}
	if key != nil {
		isOld = in.isEntryOf(key)
		name, known := in.text(key)
		if !known || ch.Path.Last().Kind != access.Elem {
			return nil
		}
		var entries []loc
		for _, r := range at {
			if !im.makes(r.obj) { // a map where there is none
				entries = append(entries, loc{r.obj, r.path.Parent()}.under(access.Entry(name)))
			}
		}
		at = entries
	}
	if l, ok := in.sumStored(im.fr, s.instr, val, value{refs: at}, s.st, isOld); ok {
		ls = append(ls, l)
	}
	if l, ok := in.ownVersion(im.fr, s.instr, val, ch.Path.LastField(), s.st); ok {
		ls = append(ls, l)
	}
	return ls
}

// makes reports whether the callee makes the object.
func (im *importer) makes(o *object) bool {
	for _, made := range im.objs {
		if made == o {
			return true
		}
	}
	return false
}

// A storing is the instruction with which a value is stored, and the last step of the path to where.
type storing struct {
	by   ssa.Instruction
	val  ssa.Value
	last access.Step
}

// sumStored returns the label of val, which the instruction stores at the place, if it is the
// old value there with something added.
func (in *interp) sumStored(fr *frame, s ssa.Instruction, val ssa.Value, at value, st *heap, isOld func(ssa.Value) bool) (Label, bool) {
	refs := withoutMade(at.refs)
	if len(refs) != 1 || at.unknown {
		return Label{}, false
	}
	key := storing{s, val, lastStored(refs[0].path)}
	old, known := in.sums[key]
	if !known {
		old = in.oldOf(s.Parent(), val, isOld, key.last)
		in.sums[key] = old
	}
	if old == nil {
		return Label{}, false
	}
	was := in.reg(fr, old)
	if o := origin.Of(old); o.Kind == origin.Result {
		if r, ok := in.rereadAt(o); ok {
			was = value{refs: in.whereRead(fr, o.Call, r)}
		}
	}
	was.refs = withoutMade(was.refs)
	place, ok := in.grownFrom(st, refs[0], was)
	if !ok {
		return Label{}, false
	}
	l := Label{Kind: Grown, What: growsValue}.grownAt(place, st)
	differ := func(c cfg.Condition) bool { return in.saysGrown(c, val, isOld) }
	for _, b := range []*ssa.BasicBlock{s.Block(), blockOf(val)} {
		if b != nil && (!in.eachTime(fr, b, l, differ) || in.behindError(fr, b)) {
			return Label{}, false
		}
	}
	l.Pos, l.End = s.Pos(), s.Pos()+1 // the bracket of an entry, the star of a pointer
	if call, ok := s.(ssa.CallInstruction); ok {
		l.Pos, l.End = in.callSpan(call)
	} else if field, _ := origin.FieldOf(old); field != nil {
		l.End = s.Pos() + token.Pos(len(field.Name()))
	}
	l.At = in.at(l.Pos)
	return leftUnder(slices.DeleteFunc(slices.Clone(fr.guards), func(g guard) bool {
		return differ(cfg.Condition{Value: g.cond, Holds: g.branch})
	}), l)
}

// saysGrown reports whether the condition is that val, which is the old value with something added, is
// another value than that:
//
//	message := addHint(thing.Status.Message)
//	if message != thing.Status.Message { thing.Status.Message = message }
func (in *interp) saysGrown(c cfg.Condition, val ssa.Value, isOld func(ssa.Value) bool) bool {
	cmp, ok := c.Comparison()
	if !ok || cmp.Op != token.NEQ {
		return false
	}
	isNew := func(v ssa.Value) bool {
		return origin.Through(v, origin.Renamed) == origin.Through(val, origin.Renamed)
	}
	return isNew(cmp.X) && isOld(cmp.Y) || isNew(cmp.Y) && isOld(cmp.X)
}

// withoutMade returns the places without those in maps that this code makes, unless there are no
// others: it makes them where there are none.
//
//	if thing.Annotations == nil { thing.Annotations = map[string]string{} }
func withoutMade(at []loc) []loc {
	others := slices.DeleteFunc(slices.Clone(at), isInMadeMap)
	if len(others) == 0 {
		return at
	}
	return others
}

// isInMadeMap reports whether the place is in a map that this code makes. Of one that a callee makes only
// the path to the entry shows that it is a map.
func isInMadeMap(r loc) bool {
	if !isMade(loc{obj: r.obj}) {
		return false
	}
	if r.obj.typ == nil {
		return r.path.First().Kind == access.Key
	}
	return isMapType(r.obj.typ)
}

// oldOf returns the old value if val, in the function, is that with something added, and
// nothing compares it. A function may have read it at a place with the last step.
func (in *interp) oldOf(fn *ssa.Function, val ssa.Value, isOld func(ssa.Value) bool, last access.Step) ssa.Value {
	s := sum{in: in.analysisState, isOld: isOld, seen: make(map[ssa.Value]bool), last: last}
	old, adds := s.of(val)
	if old == nil || !adds || !in.runsOnce(fn) || in.isCompared(fn, isOld) || in.isFieldCompared(old) {
		return nil
	}
	return old
}

// A sum looks at what a value is made of, at each part once.
type sum struct {
	in    *analysisState
	isOld func(ssa.Value) bool
	seen  map[ssa.Value]bool
	some  bool // something may have been added, though not certainly
	// last is the last step of the path to the old value, if that is a field or an entry.
	last access.Step
}

// sumOf returns the old value of which v is made, and whether something was certainly added to
// it. Otherwise v is the same in another form.
func (a *analysisState) sumOf(v ssa.Value, isOld func(ssa.Value) bool) (old ssa.Value, adds bool) {
	s := sum{in: a, isOld: isOld, seen: make(map[ssa.Value]bool)}
	return s.of(v)
}

func (s *sum) of(v ssa.Value) (old ssa.Value, adds bool) {
	switch {
	case s.isOld(v):
		return v, false
	case s.seen[v] || len(s.seen) > maxTests:
		return nil, false
	}
	s.seen[v] = true
	switch o := origin.Of(v); o.Kind {
	case origin.Renamed, origin.Boxed, origin.Converted:
		return s.of(o.X)
	case origin.Choice:
		return s.choice(v, o.Edges, s.of)
	case origin.Computed:
		if o.Y == nil || o.Op != token.ADD && o.Op != token.SUB {
			return nil, false
		}
		if old, adds = s.of(o.X); old != nil {
			return old, adds || isSome(o.Y)
		}
		if old, adds = s.of(o.Y); old != nil && o.Op == token.ADD {
			return old, adds || isSome(o.X)
		}
	case origin.Result:
		fn := callee.Static(&o.Call.Call)
		switch {
		case fn == nil:
		case o.Index == 0 && library.Of(fn).Effect == library.Reformats:
			return s.of(o.Call.Call.Args[0])
		case o.Index == 0 && library.Of(fn).Meaning == library.JoinsTexts:
			return s.joined(o.Call.Call.Args[0])
		default:
			if r, ok := s.in.rereadAt(o); ok && s.last.Name != "" && lastStored(r.Of.Path) == s.last {
				return v, r.Adds
			}
			for _, arg := range s.in.lengthenedAt(o, false) {
				if old, _ = s.of(arg); old != nil {
					return old, true
				}
			}
			return s.printed(o.Call)
		}
	}
	return nil, false
}

// joined is of for the elements of a list of texts, which are written one after the other: those
// into which the old value was split, with more elements perhaps.
//
//	history := strings.Split(thing.Annotations["history"], ",")
//	thing.Annotations["history"] = strings.Join(append(history, revision), ",")
func (s *sum) joined(list ssa.Value) (old ssa.Value, adds bool) {
	if s.seen[list] || len(s.seen) > maxTests {
		return nil, false
	}
	s.seen[list] = true
	switch o := origin.Of(list); {
	case o.Kind == origin.Renamed:
		return s.joined(o.X)
	case o.Kind == origin.Choice:
		return s.choice(list, o.Edges, s.joined)
	case o.Builtin() == "append":
		args := o.Call.Call.Args
		old, adds = s.joined(args[0])
		return old, adds || isLiteral(args[1]) || hasElementsAt(args[1], o.Call.Block())
	case o.Kind == origin.Result && library.Of(callee.Static(&o.Call.Call)).Meaning == library.SplitsText:
		return s.of(o.Call.Call.Args[0])
	}
	if elems, ok := origin.Listed(list); ok {
		for _, elem := range elems {
			if old, _ = s.of(elem); old != nil {
				return old, len(elems) > 1
			}
		}
	}
	return nil, false
}

// choice is of for a variable that has one of the values. Where there is no old value, it may have any.
func (s *sum) choice(v ssa.Value, edges []ssa.Value, of func(ssa.Value) (ssa.Value, bool)) (old ssa.Value, adds bool) {
	adds = true
	for i, e := range edges {
		from, added := of(e)
		switch {
		case from != nil:
			old, adds, s.some = from, adds && added, s.some || added
		case !isConst(e) && !isEmptyMade(e) && !s.lacksOld(v, i):
			return nil, false // it may be anything
		}
	}
	return old, adds && old != nil
}

// hasElementsAt reports whether the block only runs if the list has elements.
func hasElementsAt(list ssa.Value, b *ssa.BasicBlock) bool {
	return slices.ContainsFunc(cfg.Dominating(b), func(c cfg.Condition) bool {
		cmp, ok := c.Comparison()
		return ok && (cmp.Op == token.NEQ || cmp.Op == token.GTR) && constants.IsZero(cmp.Y) && isLen(cmp.X) && measured(cmp.X) == list
	})
}

// lacksOld reports whether v is its edge number i only if there is no old value:
//
//	nodes := selected
//	if old := thing.Annotations["nodes"]; old != "" { nodes = append(strings.Split(old, ","), nodes...) }
func (s *sum) lacksOld(v ssa.Value, i int) bool {
	phi, ok := v.(*ssa.Phi)
	if !ok {
		return false
	}
	from := phi.Block().Preds[i]
	conds := cfg.Dominating(from)
	if c, ok := cfg.ConditionOf(cfg.Edge{From: from, To: phi.Block()}); ok {
		conds = append(conds, c)
	}
	return slices.ContainsFunc(conds, func(c cfg.Condition) bool {
		cmp, ok := c.Comparison()
		return ok && cmp.Op == token.EQL && constants.IsZero(cmp.Y) && s.isOld(cmp.X)
	})
}

// printed is of for a text that a library prints: the old value and more text.
func (s *sum) printed(call *ssa.Call) (old ssa.Value, adds bool) {
	args := call.Call.Args
	if len(args) != 2 || !library.IsString(call.Type()) || !library.TraitsOfPackage(callee.Static(&call.Call).Pkg()).Has(library.Prints) {
		return nil, false
	}
	format, known := constants.String(args[0])
	elems, ok := origin.Listed(args[1])
	if !known || !ok {
		return nil, false
	}
	for _, elem := range elems {
		if old, adds = s.of(elem); old != nil {
			return old, adds || formatVerb.ReplaceAllString(format, "") != ""
		}
	}
	return nil, false
}

// formatVerb is a verb of a format.
var formatVerb = regexp.MustCompile("%[^a-zA-Z%]*[a-zA-Z%]")

// isNumberOrText reports whether values of the type can be added.
func isNumberOrText(t types.Type) bool {
	basic, ok := types.Unalias(t).Underlying().(*types.Basic)
	return ok && basic.Info()&(types.IsNumeric|types.IsString) != 0
}

// isSome reports whether v is a number that is not zero, or a text that is not empty.
func isSome(v ssa.Value) bool {
	n, isNumber := constants.Int(v)
	text, isText := constants.String(v)
	return isNumber && n != 0 || isText && text != ""
}

// isCompared reports whether the function compares something that it makes of the old value, other than
// with that value.
func (in *interp) isCompared(fn *ssa.Function, isOld func(ssa.Value) bool) bool {
	made := func(v ssa.Value) bool {
		old, _ := in.sumOf(v, isOld)
		return old != nil
	}
	for x, y := range compared(fn) {
		if made(x) != made(y) {
			return true
		}
	}
	return false
}

// addsTo returns the parameters that result number i of the function is with something added to it.
// There may be nothing to which it is added, or something may fail. With Perhaps, a text may also be
// returned as it is.
//
//	func extend(history, revision string) string {
//		if history == "" { return revision }
//		return history + "," + revision
//	}
func (in *interp) addsTo(fn *ssa.Function, i int) (all []Lengthened) {
	for n, p := range fn.Params {
		isOld := func(v ssa.Value) bool { return v == p }
		if !isNumberOrText(p.Type()) || !library.IsString(p.Type()) && in.isCompared(fn, isOld) {
			continue
		}
		if adds, perhaps := in.addsToParam(fn, i, p, isOld); adds {
			all = append(all, Lengthened{i, n, perhaps})
		}
	}
	return all
}

func (in *interp) addsToParam(fn *ssa.Function, i int, p *ssa.Parameter, isOld func(ssa.Value) bool) (adds, perhaps bool) {
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		s := sum{in: in.analysisState, isOld: isOld, seen: make(map[ssa.Value]bool)}
		old, certainly := s.of(ret.Results[i])
		switch {
		case old != nil && certainly:
			adds = true
		case slices.ContainsFunc(in.control.Of(b), func(g cfg.Group) bool { return isOtherwise(g, p) }):
		case old != nil && library.IsString(p.Type()):
			adds, perhaps = adds || s.some, true
		default:
			return false, false
		}
	}
	return adds, perhaps
}

// isOtherwise reports whether the group says that the text is equal to another one, as one that grows is
// once at most, that the function gets no object, or that something has failed.
func isOtherwise(g cfg.Group, text ssa.Value) bool {
	return !slices.ContainsFunc(g, func(way cfg.Way) bool {
		return !slices.ContainsFunc(way, func(br cfg.Branch) bool {
			if object, isNil, ok := br.Nil(); ok && isNil && origin.Of(object).Kind == origin.Parameter {
				return true
			}
			cmp, ok := br.Comparison()
			return isFailure(br) || ok && cmp.Op == token.EQL && (cmp.X == text || cmp.Y == text)
		})
	})
}

// compared yields the pairs of values that the function compares, other than with an empty text: a text
// that grows is not empty.
func compared(fn *ssa.Function) iter.Seq2[ssa.Value, ssa.Value] {
	return func(yield func(x, y ssa.Value) bool) {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				v, ok := instr.(ssa.Value)
				if !ok || !library.IsBool(v.Type()) {
					continue
				}
				o := origin.Of(v)
				if o.Kind != origin.Computed || o.Y == nil || isEmptyText(o.X) || isEmptyText(o.Y) {
					continue
				}
				if !yield(o.X, o.Y) {
					return
				}
			}
		}
	}
}

// isEmptyText reports whether v is the constant "".
func isEmptyText(v ssa.Value) bool {
	text, ok := constants.String(v)
	return ok && text == ""
}

// isFieldCompared reports whether the old value is that of a field which some function of the
// package compares with something, other than what it makes of it.
func (in *interp) isFieldCompared(old ssa.Value) bool {
	field, _ := origin.FieldOf(old)
	if field == nil {
		return false
	}
	if in.comparedFields == nil {
		in.comparedFields = make(map[*types.Var]bool)
		for _, fn := range in.ssa.Funcs {
			for x, y := range compared(fn) {
				for _, pair := range [][2]ssa.Value{{x, y}, {y, x}} {
					field, _ := origin.FieldOf(origin.Through(pair[0], origin.Renamed, origin.Converted))
					if field != nil && !isMadeOf(pair[1], field) {
						in.comparedFields[field] = true
					}
				}
			}
		}
	}
	return in.comparedFields[field]
}

// isMadeOf reports whether v is computed from the field, or is what a function returns that gets it.
func isMadeOf(v ssa.Value, field *types.Var) bool {
	o := origin.Of(v)
	from := []ssa.Value{o.X, o.Y}
	if o.Kind == origin.Result {
		from = callee.Args(&o.Call.Call)
	}
	return slices.ContainsFunc(from, func(v ssa.Value) bool {
		if v == nil {
			return false
		}
		of, _ := origin.FieldOf(v)
		return of == field
	})
}

// behindError reports whether the function gets to the block only if something has failed.
func (in *interp) behindError(fr *frame, b *ssa.BasicBlock) bool {
	for ; fr != nil && b != nil; fr, b = fr.up, fr.call {
		for br := range cfg.Branches(in.control.Of(b)...) {
			if isFailure(br) {
				return true
			}
		}
	}
	return false
}

// sameField reports whether two addresses are those of one field of structs.
func sameField(a, b ssa.Value) bool {
	x, y := origin.Of(a), origin.Of(b)
	return x.Kind == origin.Field && y.Kind == origin.Field && x.Field == y.Field && x.Field != nil
}
