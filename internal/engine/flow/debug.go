package flow

import (
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/engine/text"
	"github.com/operatorvet/operatorvet/internal/library"
)

// Debug writes what is known about fn, a function or function literal of the
// package: its events and the rest of its summary. It has the source of guards,
// and drops, if the analysis was traced.
func (p *Package) Debug(w *text.Writer, fn *ssa.Function) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.summary(fn) // interprets it
	if p.a == nil || p.a.summaries[fn] == nil {
		return
	}
	sum := p.a.summaries[fn]
	d := &debugger{a: p.a, fn: fn, earlier: sum.Earlier, numbers: make(map[int]int)}
	for i := range sum.Events {
		d.event(w, &sum.Events[i])
	}
	d.summary(w, sum)
	for _, drop := range sum.drops {
		switch {
		case drop.inCallee: // the text about the callee has it
		case !drop.sorted.IsZero():
			w.Linef("drops [%s] sorted at %s", d.label(drop.label), drop.sorted)
		default:
			w.Linef("drops [%s] under guard %s", d.label(drop.label), drop.guard)
		}
	}
	if sum.limits != 0 {
		w.Linef("in part, for lack of %s", sum.limits)
	}
	for _, gap := range sum.Gaps {
		if gap.At != p.a.at(fn.Pos()) {
			w.Linef("calls %s (%s), which is known in part, for lack of %s", gap.Func, gap.At, gap.Bounds)
		}
	}
}

// A debugger writes what is known about one function.
type debugger struct {
	a  *analysisState
	fn *ssa.Function
	// earlier are further parameters of fn.
	earlier []Earlier
	// numbers are those of objects in the text, in the order in which they occur
	// there. Unlike IDs, they do not change when other objects do.
	numbers map[int]int
}

// number returns the name in the text of the object with this ID.
func (d *debugger) number(id int) string {
	if id <= 0 {
		return "variable"
	}
	if d.numbers[id] == 0 {
		d.numbers[id] = len(d.numbers) + 1
	}
	return fmt.Sprintf("object %d", d.numbers[id])
}

func (d *debugger) event(w *text.Writer, ev *Event) {
	entry := ""
	if at := d.a.at(ev.Pos); at != ev.At {
		entry = " by " + at.String()
	}
	w = w.Linef("event %s  %s%s%s%s", text.Name(ev.Callee), ev.At, entry, verb(ev.Callee), text.Flags(
		text.If("maybe", ev.Maybe), text.If("cut", ev.Cut), text.If("go", ev.Go), text.If("rounds", ev.Rounds && ev.Go), text.If("deleting", ev.Deleting)))
	for i, g := range ev.Guards {
		cond := text.Cond{}
		if i < len(ev.conds) {
			cond = ev.conds[i]
		}
		w.Linef("guard %s: %s", cond, d.labels(g))
	}
	if ev.Through != nil {
		w.Linef("unless the module has %s", d.funcRef(*ev.Through))
	}
	d.tests(w, ev.When)
	if len(ev.Phases) > 0 {
		w.Linef("phases %s", text.Name(strings.Join(ev.Phases, ", ")))
	}
	if ev.Scope != AnyScope {
		w.Linef("%v", ev.Scope)
	}
	ev.Once.debug(w)
	for i, a := range ev.Args {
		if d.isContext(a) {
			continue
		}
		d.arg(w, fmt.Sprintf("arg %d", i), a)
	}
	if ev.Made != 0 {
		w.Linef("makes %s", d.number(ev.Made))
	}
	if ev.Result != "" && ev.Result != "error" && ev.Made == 0 {
		w.Linef("result %s", text.Name(ev.Result))
	}
}

// verb returns the verb of a write, or "".
func verb(callee string) string {
	write := library.Named(callee).Write
	if write == nil {
		return ""
	}
	if write.Sub != "" {
		return fmt.Sprintf(" (%s %s)", write.Verb, write.Sub)
	}
	return fmt.Sprintf(" (%s)", write.Verb)
}

// isContext reports whether the argument is a parameter that is a context.
func (d *debugger) isContext(a Arg) bool {
	if len(a.Objects) != 1 || a.Objects[0].Param < 0 || a.Objects[0].Param >= len(d.fn.Params) {
		return false
	}
	return library.TypeOf(d.fn.Params[a.Objects[0].Param].Type()).Is == library.Context && a.Objects[0].Path.IsRoot()
}

// arg writes an argument, unless there is nothing to say about it.
func (d *debugger) arg(w *text.Writer, title string, a Arg) {
	if a.isNothing() {
		return
	}
	title += ":"
	switch {
	case a.Unknown && len(a.Objects)+len(a.Funcs)+len(a.Labels) > 0:
		title += " unknown or"
	case a.Unknown:
		title += " unknown"
	}
	if a.Const != "" {
		title += fmt.Sprintf(" const %q", a.Const)
	}
	for _, f := range a.Funcs {
		if f.Param >= 0 {
			title += " func " + d.param(f.Param)
		} else {
			title += " func " + text.Name(f.Name)
		}
	}
	for _, l := range a.Labels {
		title += " [" + d.label(l) + "]"
	}
	if len(a.Objects) == 1 {
		d.object(w, title+" ", &a.Objects[0])
		return
	}
	w = w.Linef("%s", title)
	for i := range a.Objects {
		d.object(w, "", &a.Objects[i])
	}
}

// name writes what is known of the name of an object.
func (d *debugger) name(w *text.Writer, o *Object) {
	title := ""
	if o.Name != "" {
		title += fmt.Sprintf(" %q", o.Name)
	}
	if o.Ending != "" {
		title += fmt.Sprintf(" ends in %q", o.Ending)
	}
	for _, l := range o.Named {
		title += " [" + d.label(l) + "]"
	}
	if title != "" {
		w.Linef("name%s%s", title, text.Flags(text.If("and nothing else", o.NamedBy)))
	}
}

func (d *debugger) object(w *text.Writer, title string, o *Object) {
	what := ""
	if o.Param >= 0 {
		what = d.param(o.Param)
	} else {
		what = d.number(o.ID)
	}
	what += o.Path.String()
	if o.Type != "" {
		what += " " + text.Name(o.Type)
	}
	if o.GVK != "" {
		what += " " + o.GVK
	}
	if o.From != "" {
		what += " from " + text.Name(o.From)
	}
	if o.Copy != nil {
		what += " copy of " + d.place(o.Copy.Param, o.Copy.Path)
	}
	w = w.Linef("%s%s%s", title, what, text.Flags(text.If("sure", o.Sure), text.If("live", o.Live), text.If("found", o.Found), text.If("existed", o.Existed && !o.Found), text.If("named anew", o.Anew), text.If("owners unknown", o.OwnersUnknown)))
	d.tests(w, o.When)
	d.name(w, o)
	if o.Scope != AnyScope {
		w.Linef("made %v", o.Scope)
	}
	for _, owner := range o.Owners {
		kind := "owner"
		if owner.Controller {
			kind = "controller"
		}
		who := ""
		if owner.Param >= 0 {
			who = " " + d.place(owner.Param, owner.Path)
		}
		if owner.Type != "" {
			who += " " + text.Name(owner.Type)
		}
		if who == "" {
			who = " that is not known"
		}
		w.Linef("%s%s", kind, who)
	}
	for _, from := range o.OwnersOf {
		w.Linef("owners of %s", d.place(from.Param, from.Path))
	}
	for _, f := range o.Fields {
		w.Linef("%s: %s", under("field", f.Path), d.label(f.Label))
	}
	for _, part := range o.Parts {
		d.arg(w, fmt.Sprintf("part %v", part.Path), part.Arg)
	}
}

// summary writes the summary without the events.
func (d *debugger) summary(w *text.Writer, sum *Summary) {
	for i, v := range sum.Results {
		if library.IsError(d.fn.Signature.Results().At(i).Type()) {
			continue
		}
		d.val(w, fmt.Sprintf("result %d", i), v)
	}
	for _, o := range sum.Objects {
		d.obj(w, o)
	}
	for _, c := range sum.Changes {
		title := "change " + d.place(c.Param, c.Path)
		if c.Weak {
			title += " perhaps"
		}
		if isNothing(c.Val) {
			w.Linef("%s: replaced", title) // with nothing that is known
			continue
		}
		d.val(w, title, c.Val)
	}
	for _, p := range sum.Refreshed {
		w.Linef("refreshed %s", d.place(p.Param, p.Path))
	}
	for _, l := range sum.Lengthened {
		w.Linef("result %d is a longer %s%s", l.Result, d.param(l.Param), text.If(" perhaps", l.Perhaps))
	}
	for _, i := range sum.Filled {
		w.Linef("result %d has elements", i)
	}
	for _, r := range sum.Reread {
		place := d.place(r.Of.Param, r.Of.Path)
		if r.Key >= 0 {
			place = fmt.Sprintf("%s[%s]", d.place(r.Of.Param, r.Of.Path.Parent()), d.param(r.Key))
		}
		w.Linef("result %d is what %s has%s", r.Result, place, text.If(", and more", r.Adds))
	}
	for _, p := range sum.Sorted {
		w.Linef("sorted %s", d.place(p.Param, p.Path))
	}
	if sum.Sorts {
		w.Linef("sorts something")
	}
	for _, cb := range sum.Callbacks {
		w := w.Linef("calls %s%s", d.funcRef(cb.Func), text.Flags(text.If("go", cb.Go)))
		for i, a := range cb.Args {
			d.val(w, fmt.Sprintf("arg %d", i), a)
		}
		for _, g := range cb.Guards {
			w.Linef("guard: %s", d.labels(g))
		}
	}
	for _, t := range sum.Requires {
		w.Linef("nothing unless %s is %s", d.place(t.Param, t.Path), text.Name(strings.Join(t.Types, " or ")))
	}
	for _, v := range sum.Verdicts {
		d.verdict(w, v)
	}
	for _, r := range sum.Reads {
		if r.Field == "" {
			w.Linef("makes %s  %s", text.Name(r.Type), r.At)
		} else {
			w.Linef("reads %s.%s  %s", text.Name(r.Type), r.Field, r.At)
		}
	}
	for _, s := range sum.Shows {
		if s.Use == Copied && OnlyShown(sum.Shows, s.Type, s.Field) {
			w.Linef("shows %s.%s  %s", text.Name(s.Type), s.Field, s.At)
		}
	}
}

func (d *debugger) obj(w *text.Writer, o Obj) {
	what := d.number(o.ID)
	if o.Type != "" {
		what += " " + text.Name(o.Type)
	}
	if o.From != "" {
		what += " from " + text.Name(o.From)
	}
	if o.Copy != nil {
		what += " copy of " + d.place(o.Copy.Param, o.Copy.Path)
	}
	w = w.Linef("%s%s", what, text.Flags(text.If("live", o.Live), text.If("cached", o.Cached), text.If("lost", o.Opaque)))
	d.tests(w, o.When)
	if o.Scope != AnyScope {
		w.Linef("made %v", o.Scope)
	}
	for _, c := range o.Cells {
		d.val(w, under("cell", c.Path), c.Val)
	}
}

func isNothing(v Val) bool {
	return len(v.Refs)+len(v.Labels)+len(v.Funcs)+len(v.Bound) == 0 && v.Const == "" && !v.Unknown
}

// val writes a value, unless there is nothing to say about it.
func (d *debugger) val(w *text.Writer, title string, v Val) {
	if isNothing(v) {
		return
	}
	title += ":"
	if v.Ending != "" {
		title += fmt.Sprintf(" ends in %q", v.Ending)
	}
	if v.Const != "" {
		title += fmt.Sprintf(" const %q", v.Const)
	}
	if v.Copy {
		title += " copy of"
	}
	if v.Entries {
		title += " by key"
	}
	for _, r := range v.Refs {
		title += " " + d.ref(r)
	}
	for _, f := range v.Funcs {
		title += " " + d.funcRef(f)
	}
	title += text.Flags(text.If("lost", v.Unknown))
	for _, l := range v.Labels {
		title += " [" + d.label(l) + "]"
	}
	w = w.Linef("%s", title)
	for _, b := range v.Bound {
		w := w.Linef("func %s", text.Name(b.Name))
		for i, c := range b.Captured {
			d.val(w, fmt.Sprintf("captured %d", i), c)
		}
	}
}

func (d *debugger) ref(r Ref) string {
	if r.Param >= 0 {
		return d.place(r.Param, r.Path)
	}
	return d.number(r.Obj) + r.Path.String()
}

func (d *debugger) funcRef(f FuncRef) string {
	if f.Name != "" {
		return "func " + text.Name(f.Name)
	}
	s := "func " + d.place(f.Param, f.Path)
	if f.Method != "" {
		s += "." + f.Method
	}
	return s
}

func (d *debugger) verdict(w *text.Writer, v Verdict) {
	outcome := func(name string, o Outcome) string {
		if !o.Guarded {
			return ""
		}
		s := fmt.Sprintf(" %s by %s", name, d.labels(o.Labels))
		if o.Search {
			s += ", a search that finds nothing"
		}
		if o.UnlessSetting {
			s += " unless configuration"
		}
		for i, t := range o.Tested {
			if i == 0 {
				s += " unless a mode of"
			}
			s += " " + t.String()
		}
		for i, a := range o.Absent {
			if i == 0 {
				s += ", that parts are absent:"
			}
			s += " " + text.Name(a.Type) + "." + a.Field
		}
		return s
	}
	result := strconv.Itoa(v.Result)
	if v.Field != "" {
		result += "." + v.Field
	}
	yes, no := outcome("yes", v.Yes), outcome("no", v.No)
	if yes != "" && no != "" {
		yes += ";"
	}
	if yes+no != "" {
		w.Linef("verdict %s:%s%s", result, yes, no)
	}
	if len(v.Tested) > 0 {
		var tested []string
		for _, t := range v.Tested {
			tested = append(tested, t.String())
		}
		w.Linef("result %s is decided by %s", result, strings.Join(tested, ", "))
	}
}

func (d *debugger) tests(w *text.Writer, tests []TypeTest) {
	for _, t := range tests {
		if t.Method != "" {
			w.Linef("if %s of %s is %t", t.Method, d.place(t.Param, t.Path), t.Holds)
			continue
		}
		if t.Some {
			w.Linef("if %s is not empty", d.place(t.Param, t.Path))
			continue
		}
		if len(t.Types) == 0 {
			w.Linef("if %s is not nil", d.place(t.Param, t.Path))
			continue
		}
		w.Linef("if %s is %s", d.place(t.Param, t.Path), text.Name(strings.Join(t.Types, " or ")))
	}
}

func (d *debugger) labels(ls []Label) string {
	if len(ls) == 0 {
		return "nothing known"
	}
	all := make([]string, len(ls))
	for i, l := range ls {
		all[i] = d.label(l)
	}
	return strings.Join(all, ", ")
}

func (d *debugger) label(l Label) string {
	s := kindNames[l.Kind]
	switch {
	case l.What != "" && l.What != s:
		s += " " + text.Name(l.What)
	case l.Keys:
		s = "keys of " + d.place(l.Param, l.Path)
	case l.Kind == Key, l.Kind == Named:
		s += " " + d.place(l.Param, l.Path)
	case l.Kind == Content, l.Kind == Kept, l.Kind == Printed:
		s += " of " + d.place(l.Param, l.Path)
	case l.Kind == Returned:
		s += fmt.Sprintf(" as %d%v", l.Param, l.Path)
	case l.Kind == State:
		s += l.Path.String()
	}
	if keys := strings.Split(l.Without, "\x00"); len(keys) > 1 {
		s += " without " + strings.Join(keys[:len(keys)-1], ", ")
	}
	if !l.At.IsZero() {
		s += " " + l.At.String()
	}
	s += text.Flags(text.If("item", l.Item), text.If("fixed", l.Fixed))
	if l.Appended {
		s += " behind " + d.param(l.Base)
	}
	switch {
	case l.Given > 0:
		s += " if " + d.given(l.Given)
	case l.Given < 0:
		s += " if not " + d.given(-l.Given)
	}
	return s
}

// given returns what decides, which is as in a [Label] and positive.
func (d *debugger) given(given int) string {
	if i := given - firstDecision; i >= 0 {
		return fmt.Sprintf("decision %d", i)
	}
	return d.param(given - 1)
}

var kindNames = [...]string{
	Content: "content", Returned: "returned", Key: "looked up by", Printed: "printed", Named: "named after", State: "state", Clock: "clock", Random: "random", Address: "address", MapOrder: "map order", ListOrder: "list order", Arrival: "arrival", Grown: "grown", Kept: "kept",
}

// place returns the name of a place under a parameter.
func (d *debugger) place(param int, path access.Path) string { return d.param(param) + path.String() }

// param returns the name of a parameter. Captured variables are behind the
// parameters, and what was at a place earlier is behind them.
func (d *debugger) param(i int) string {
	switch n := len(d.fn.Params); {
	case i >= 0 && i < n:
		if name := d.fn.Params[i].Name(); name != "" && name != "_" {
			return name
		}
	case i >= n && i < n+len(d.fn.FreeVars):
		return d.fn.FreeVars[i-n].Name()
	}
	for _, e := range d.earlier {
		if e.Param == i {
			return "earlier " + d.place(e.Of.Param, e.Of.Path)
		}
	}
	return fmt.Sprintf("param %d", i)
}

// under returns the name of what is at a path under an object.
func under(what string, path any) string {
	if fmt.Sprint(path) == "" {
		return "itself"
	}
	return fmt.Sprintf("%s %v", what, path)
}
