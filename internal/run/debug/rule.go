package debug

import (
	"cmp"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/text"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
)

// explain writes the rule's decision about each candidate that the query
// selects: the findings, and for the others the first obligation that is not
// established.
func (q Query) explain(w *text.Writer, pass *analysis.Pass, found *about) {
	decisions := slices.Clone(pass.ResultOf[q.Rule].(*rule.Suppressions).Decisions())
	var funcs []*ssa.Function
	if q.Func != "" {
		funcs = q.pick(pass, pass.ResultOf[ssair.Analyzer].(*ssair.Package).Funcs)
		found.matches = len(funcs) > 0
	}
	decisions = slices.DeleteFunc(decisions, func(d rule.Decision) bool {
		switch {
		case q.At != nil:
			return !q.At.isOf(pass.Fset, d)
		case q.Func != "":
			return !slices.ContainsFunc(funcs, func(fn *ssa.Function) bool { return encloses(fn, d.Pos) })
		}
		return false
	})
	slices.SortFunc(decisions, func(a, b rule.Decision) int {
		return cmp.Or(cmp.Compare(a.Pos, b.Pos), strings.Compare(string(a.Failed), string(b.Failed)), strings.Compare(a.Why, b.Why))
	})
	decisions = slices.Compact(decisions)
	found.matches = found.matches || len(decisions) > 0
	for _, d := range decisions {
		if d.Failed == "" {
			w.Linef("%s: finding: %s", text.Place(pass.Fset, d.Pos), d.Why)
			continue
		}
		w.Linef("%s: no finding: %s", text.Place(pass.Fset, d.Pos), d.Why).Linef("not established: %s", d.Failed)
	}
}

func encloses(fn *ssa.Function, pos token.Pos) bool {
	syntax := fn.Syntax()
	return syntax != nil && syntax.Pos() <= pos && pos < syntax.End()
}

// isOf reports whether a decision is about the place, as the position of the
// candidate or as a place that the decision mentions.
func (p *Place) isOf(fset *token.FileSet, d rule.Decision) bool {
	if at := fset.Position(d.Pos); p.isIn(at.Filename) && at.Line == p.Line {
		return true
	}
	name := path.Base(filepath.ToSlash(p.File)) + ":" + strconv.Itoa(p.Line)
	return slices.ContainsFunc(place.FindAllString(d.Why, -1), func(s string) bool { return strings.TrimSpace(s) == name })
}

var place = regexp.MustCompile(`[\w.-]+\.go:\d+`)
