package controller

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/flow"
	"github.com/operatorvet/operatorvet/internal/engine/place"
	"github.com/operatorvet/operatorvet/internal/engine/predicate"
	"github.com/operatorvet/operatorvet/internal/engine/selection"
	"github.com/operatorvet/operatorvet/internal/engine/text"
	"github.com/operatorvet/operatorvet/internal/library"
)

// Debug writes the controllers of a package, with what is not known of each and why. It
// also writes the registrations that were not understood. The analyzer of the pass must
// require [Analyzer] and what that requires. If there are funcs, Debug writes only
// controllers and registrations that concern one of them.
func Debug(w *text.Writer, pass *analysis.Pass, funcs []*ssa.Function) {
	f := newFinder(pass)
	f.rejected = make(map[rejected]bool)
	for _, fn := range f.funcs {
		f.find(fn)
	}
	for _, c := range pass.ResultOf[Analyzer].([]*Controller) {
		if len(funcs) > 0 && !slices.ContainsFunc(funcs, c.concerns) {
			continue
		}
		c.debug(w, pass)
	}
	f.debugRejected(w, funcs)
}

// A rejected registration is one that makes no controller, because too little is known.
type rejected struct {
	callee string
	at     place.Place
	fn     *ssa.Function // the function whose call tree it is in
	why    string
}

// reject records for [Debug] why the event registers no controller.
func (f *finder) reject(ev *flow.Event, why string) {
	if f.rejected != nil && f.in != nil {
		f.rejected[rejected{ev.Callee, ev.At, f.in, why}] = true
	}
}

// debugRejected writes the registrations that were rejected in the call tree of every
// function that reaches them.
func (f *finder) debugRejected(w *text.Writer, funcs []*ssa.Function) {
	understood := make(map[place.Place]bool)
	for pos := range f.found {
		understood[place.Of(f.pass.Fset, f.pass.Pkg, pos)] = true
	}
	var lines []string
	for r := range f.rejected {
		if !understood[r.at] && (len(funcs) == 0 || slices.Contains(funcs, r.fn)) {
			lines = append(lines, fmt.Sprintf("no controller by %s  %s: from %s, %s", text.Name(r.callee), r.at, text.Func(r.fn), r.why))
		}
	}
	slices.Sort(lines)
	for _, line := range lines {
		w.Linef("%s", line)
	}
}

// concerns reports whether the function registers the controller or is its
// reconciler.
func (c *Controller) concerns(fn *ssa.Function) bool {
	return contains(fn, c.Pos) || c.rec.fn == fn || fn.Object() != nil && c.rec.key == any(fn.Object())
}

func (c *Controller) debug(w *text.Writer, pass *analysis.Pass) {
	w = w.Linef("controller  %s", text.Place(pass.Fset, c.Pos))
	switch key := c.rec.key.(type) {
	case *ssa.Function:
		w.Linef("reconciler %s", text.Func(key))
	case *types.Func:
		w.Linef("reconciler %s", text.Name(library.Name(key)))
	}
	if len(c.Primary) > 0 {
		w.Linef("for %s", kindNames(c.Primary))
	}
	if c.Scope != flow.AnyScope {
		w.Linef("reconciles %v", strings.TrimPrefix(c.Scope.String(), "for "))
	}
	for i := range c.Watches {
		c.Watches[i].debug(w, pass)
	}
	for _, why := range c.unknown {
		w.Linef("watches of unknown kinds: %s", why)
	}
	for i := range c.Writes {
		c.Writes[i].debug(w, slices.ContainsFunc(c.Watches, Watch.Selects))
	}
	for _, r := range c.Reads {
		if r.Field != "" {
			w.Linef("reads %s.%s  %s", text.Name(r.Type), r.Field, r.At)
		}
	}
}

func (w *Watch) debug(out *text.Writer, pass *analysis.Pass) {
	by := ""
	switch {
	case w.ByFor:
		by = " by For"
	case w.ByOwns:
		by = " by Owns"
	}
	out = out.Linef("watch %s%s: %s%s", w.Kind, by, w.reach(), flags(flag{"metadata only", w.Metadata}))
	if w.Reach > Nothing {
		for _, need := range w.Needs {
			debugNeed(out, need)
		}
		if w.skipsDeletions && !selection.IsNever(w.Needs) {
			out.Linef("its handler skips deletions")
		}
	}
	for _, f := range w.Filters {
		of := "predicates"
		if f.Whole {
			of = "predicates of the builder"
		}
		out.Linef("%s  %s: pass %s", of, text.Place(pass.Fset, f.Pos), predicate.Names(f.Passes))
		for _, need := range f.Needs {
			debugNeed(out, need)
		}
		if f.dropsDeletions && !selection.IsNever(f.Needs) {
			out.Linef("drops deletions")
		}
	}
	if len(w.Filters) > 0 {
		out.Linef("%s", w.Poll.String())
	}
}

func debugNeed(out *text.Writer, need selection.Need) {
	if need.Part == selection.Never {
		out.Linef("selects nothing")
		return
	}
	out.Linef("selects only objects with %s", need)
}

func (w *Watch) reach() string {
	switch w.Reach {
	case Nothing:
		return "no event becomes a request"
	case Controlled:
		return "events of objects with a controller reference to " + kindNames(w.Owners)
	case Owned:
		return "events of objects with an owner reference to " + kindNames(w.Owners)
	}
	return "every event"
}

// debug writes what is known of a write. With selected, it also writes the labels, because
// a watch may ask for them.
func (w *Write) debug(out *text.Writer, selected bool) {
	kind := w.Kind.String()
	if w.Kind.IsZero() {
		kind = "unknown kind"
	}
	out = out.Linef("write %s %s  %s%s", w.Verb, kind, w.Event.At, flags(
		flag{"creates", w.Creates}, flag{"sub-resource", w.Sub}, flag{"elsewhere", w.Elsewhere},
		flag{"ephemeral", w.Ephemeral}, flag{"metadata only", w.Metadata}, flag{"of another controller", w.OfOther}, flag{"told of by a child", w.Relayed}, flag{"cut", w.Event.Cut}, flag{"maybe", w.Event.Maybe}))
	if w.Kind.IsZero() {
		out.Linef("kind unknown: %s", originOf(w.Object))
	}
	if w.Creates {
		for _, l := range w.Object.Named {
			out.Linef("named by content%v%s", l.Path, flags(flag{"in part", !w.Object.NamedBy}))
		}
		if selected && w.Object.Labels.Known && len(w.Object.Labels.Of) == 0 {
			out.Linef("labels: %s", strings.Join(w.Object.Labels.Keys, ", "))
		}
		if w.Object.Name != "" {
			out.Linef("named %s", w.Object.Name)
		}
		if w.IsShared() {
			out.Linef("its name may be the same for all owners")
		}
	}
	if scope := w.Scope(); scope != flow.AnyScope {
		out.Linef("%v", scope)
	}
	if len(w.Phases) > 0 {
		out.Linef("in one phase of %s", kindNames(w.Phases))
	}
	if len(w.Until) > 0 {
		out.Linef("until it is recorded by %s", kindNames(w.Until))
	}
	if len(w.While) > 0 {
		out.Linef("without something in the status of %s", kindNames(w.While))
	}
	if w.Elsewhere {
		if call := library.Named(w.Event.Callee).Write; call != nil {
			out.Linef("client not known to be the manager's: %s", origins(arg(w.Event, call.Args, library.ClientArg)))
		}
	}
	for _, o := range w.Object.Owners {
		kind := "owner"
		if o.Controller {
			kind = "controller"
		}
		if o.Type == "" {
			out.Linef("%s of unknown kind", kind)
		} else {
			out.Linef("%s %s", kind, text.Name(o.Type))
		}
	}
	switch {
	case w.Object.OwnersUnknown && w.Event.Cut:
		out.Linef("owners unknown: the function is too large to be interpreted to its end")
	case w.Object.OwnersUnknown:
		out.Linef("owners unknown: code that is not seen may have set some")
	}
	if w.Creates && !w.Kind.IsZero() {
		out.Linef("%s", w.Poll.String())
	}
}

// String says when the reconciler looks again.
func (p Poll) String() string {
	switch {
	case p.Resyncs && p.Resync > 0:
		return fmt.Sprintf("is called again every %v, whatever it asks for", p.Resync)
	case p.Resyncs:
		return "is called again by the manager's resync, whose period is not known"
	case p.Polls && p.Due:
		return "looks again when something is due"
	case p.Polls && p.Every > 0:
		return fmt.Sprintf("looks again after at most %v", p.Every)
	case p.Polls:
		return "looks again after an interval that is not known"
	case p.Unknown && p.Waits:
		return "looks again, or what it returns is not known"
	case p.Perhaps:
		return "looks again on some ways"
	case p.Waits:
		return "looks again soon on some ways"
	}
	return "does not look again"
}

// origins describes the origins of the objects that an argument may be.
func origins(a flow.Arg) string {
	if len(a.Objects) == 0 {
		return "nothing is known of it"
	}
	var all []string
	for _, o := range a.Objects {
		all = append(all, originOf(o))
	}
	return strings.Join(all, ", or ")
}

func originOf(o flow.Object) string {
	switch {
	case o.Param >= 0 && o.Type != "":
		return fmt.Sprintf("param %d%v, a %s", o.Param, o.Path, text.Name(o.Type))
	case o.Param >= 0:
		return fmt.Sprintf("param %d%v, which the caller decides", o.Param, o.Path)
	case o.From != "":
		return "it comes from " + text.Name(o.From)
	case o.GVK != "":
		return "its GVK is " + o.GVK
	case o.Type != "":
		return "it is a " + text.Name(o.Type)
	}
	return "nothing is known of it"
}

func kindNames(kinds []library.GroupKind) string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = k.String()
	}
	return strings.Join(slices.Compact(names), ", ")
}

type flag struct {
	name string
	set  bool
}

func flags(all ...flag) string {
	s := ""
	for _, f := range all {
		if f.set {
			s += " [" + f.name + "]"
		}
	}
	return s
}
