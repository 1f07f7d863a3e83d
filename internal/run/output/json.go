package output

import (
	"encoding/json"
	"fmt"
	"go/token"
	"io"
	"slices"

	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/run/driver"
)

// jsonFinding has the shape of a finding in the output of go vet -json.
type jsonFinding struct {
	Category string    `json:"category,omitempty"`
	Posn     string    `json:"posn"`
	End      string    `json:"end"`
	Message  string    `json:"message"`
	Fixes    []jsonFix `json:"suggested_fixes,omitempty"`
	NoFix    string    `json:"no_fix,omitempty"` // why there is none

	Related []jsonRelated `json:"related,omitempty"`
}

// jsonRelated is a step of a finding.
type jsonRelated struct {
	Posn    string `json:"posn,omitempty"` // absent if the file is not known
	End     string `json:"end,omitempty"`
	Message string `json:"message"`
}

type jsonFix struct {
	Message string     `json:"message"`
	Edits   []jsonEdit `json:"edits"`
}

type jsonEdit struct {
	Filename string `json:"filename"`
	Start    int    `json:"start"`
	End      int    `json:"end"`
	New      string `json:"new"`
}

// JSON writes findings by package and rule, as go vet -json does. Notes are about
// the analysis rather than the code. They have the same form, under a name that is
// no rule's.
func JSON(w io.Writer, rep *driver.Report, notes []driver.Finding) error {
	tree := make(map[string]map[string][]jsonFinding)
	for _, f := range slices.Concat(rep.Findings, notes) {
		ofPackage := tree[f.Package]
		if ofPackage == nil {
			ofPackage = make(map[string][]jsonFinding)
			tree[f.Package] = ofPackage
		}
		ofPackage[f.Rule] = append(ofPackage[f.Rule], jsonFinding{
			Category: f.Rule,
			Posn:     posn(f.Pos),
			End:      posn(f.End),
			Message:  f.Message,
			Fixes:    jsonFixes(f.Fixes),
			NoFix:    f.NoFix,
			Related:  jsonSteps(f.Steps),
		})
	}
	data, err := json.MarshalIndent(tree, "", "\t")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", data)
	return err
}

func jsonFixes(fixes []driver.Fix) []jsonFix {
	var res []jsonFix
	for _, fix := range fixes {
		edits := []jsonEdit{}
		for _, e := range fix.Edits {
			edits = append(edits, jsonEdit{Filename: e.Pos.Filename, Start: e.Pos.Offset, End: e.End.Offset, New: e.New})
		}
		res = append(res, jsonFix{Message: fix.Message, Edits: edits})
	}
	return res
}

func jsonSteps(steps []rule.Mark) []jsonRelated {
	var res []jsonRelated
	for _, s := range steps {
		r := jsonRelated{Message: s.Text}
		if s.From.Filename != "" {
			r.Posn, r.End = posn(s.From), posn(s.To)
		}
		res = append(res, r)
	}
	return res
}

func posn(p token.Position) string { return p.String() }
