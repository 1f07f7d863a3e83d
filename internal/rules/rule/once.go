package rule

import (
	"go/token"
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/internal/engine/place"
	"github.com/operatorvet/operatorvet/internal/rules/cause"
)

// found is what a rule has reported about a package and nothing suppresses.
type found []finding

type finding struct {
	analysis.Diagnostic
	steps []Step
	about About
}

// About is what a rule knows of a finding apart from its diagnostic.
type About struct {
	// Full is the message with the full paths of places; the diagnostic has them
	// relative to the module.
	Full   string
	Cause  cause.Cause
	Steps  []Mark
	Remedy string
	NoFix  string // why the finding has no fix, "" if it has one or none is to be expected
}

// key tells the findings of a rule in a package apart.
type key struct {
	pos     token.Pos
	message string
}

// abouts returns what the rule knows of each finding. Of equal ones the first counts.
func (all found) abouts() map[key]About {
	abouts := make(map[key]About, len(all))
	for _, f := range slices.Backward(all) {
		abouts[key{f.Pos, f.Message}] = f.about
	}
	return abouts
}

// mostNames is how many of the other findings of a cause a message names.
const mostNames = 10

// once returns a finding for each cause. Its message names the others, and its fix
// is the fixes of all that change the same file: drivers take it for granted that a
// fix changes no other.
func (all found) once(pass *analysis.Pass) []finding {
	slices.SortStableFunc(all, func(f, g finding) int { return int(f.Pos - g.Pos) })
	item := func(f finding) cause.Item {
		at := place.Of(pass.Fset, pass.Pkg, f.Pos)
		return cause.Item{Rule: f.Category, At: at.ID(), Cause: f.about.Cause, Place: short(pass, at.Full())}
	}
	var res []finding
	for _, group := range cause.Groups(all, item) {
		f := group.First()
		if more := group.More(item, mostNames); more != "" {
			f.Message += "; " + short(pass, more)
			f.SuggestedFixes = joined(pass.Fset.File(f.Pos), slices.Concat(group...))
		}
		res = append(res, f)
	}
	return res
}

// joined returns the fix that does what the fixes of the findings do to one file, if
// there are any. A fix that changes the same text as one before it is left out.
func joined(file *token.File, findings []finding) []analysis.SuggestedFix {
	var fix analysis.SuggestedFix
	for _, f := range findings {
		for _, own := range f.SuggestedFixes {
			fits := !slices.ContainsFunc(own.TextEdits, func(e analysis.TextEdit) bool {
				return int(e.Pos) < file.Base() || int(e.Pos) > file.Base()+file.Size() ||
					slices.ContainsFunc(fix.TextEdits, func(o analysis.TextEdit) bool { return overlap(e, o) })
			})
			if !fits {
				continue
			}
			if fix.Message != "" {
				fix.Message += "; "
			}
			fix.Message += own.Message
			for _, e := range own.TextEdits {
				if !slices.ContainsFunc(fix.TextEdits, func(o analysis.TextEdit) bool { return reflect.DeepEqual(e, o) }) {
					fix.TextEdits = append(fix.TextEdits, e)
				}
			}
		}
	}
	if len(fix.TextEdits) == 0 {
		return nil
	}
	return []analysis.SuggestedFix{fix}
}

// overlap reports whether two different edits change the same text. Insertions at one
// place do not.
func overlap(e, o analysis.TextEdit) bool {
	return !reflect.DeepEqual(e, o) && e.Pos < max(o.End, o.Pos) && o.Pos < max(e.End, e.Pos)
}
