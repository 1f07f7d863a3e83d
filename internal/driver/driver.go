// Package driver runs rules over the packages of an operator, and returns what
// they find in an order that does not vary.
package driver

import (
	"cmp"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/operatorvet/operatorvet/internal/load"
	"github.com/operatorvet/operatorvet/internal/ssair"
)

// Finding is something that a rule found.
type Finding struct {
	Rule    string
	Package string // path
	Pos     token.Position
	End     token.Position
	Message string
	URL     string
	Fixes   []Fix
}

// Fix is a change that would mend a finding.
type Fix struct {
	Message string
	Edits   []Edit
}

// Edit replaces part of a file.
type Edit struct {
	Pos, End token.Position
	New      string
}

// Report is the result of a run.
type Report struct {
	Findings []Finding      // sorted by place
	Failures []load.Failure // sorted by package
}

// Run runs the rules over the packages that cfg describes. It sets
// cfg.Relevant.
func Run(cfg load.Config, rules []*analysis.Analyzer) (*Report, error) {
	cfg.Relevant = relevant
	prog, err := load.Load(cfg)
	if err != nil {
		return nil, err
	}
	graph, err := checker.Analyze(withProgress(rules, cfg.Progress, len(prog.Packages)), prog.Packages, nil)
	if err != nil {
		return nil, err
	}
	rep := &Report{Failures: prog.Failures}
	rep.Failures = append(rep.Failures, broken(graph)...)
	slices.SortStableFunc(rep.Failures, func(a, b load.Failure) int { return cmp.Compare(a.Package, b.Package) })
	for _, act := range graph.Roots {
		for _, d := range act.Diagnostics {
			rep.Findings = append(rep.Findings, finding(act, d))
		}
	}
	slices.SortFunc(rep.Findings, compareFindings)
	rep.Findings = slices.CompactFunc(rep.Findings, sameFinding)
	return rep, nil
}

// relevant is [ssair.Relevant] for a package that has no types yet.
func relevant(pkg *packages.Package) bool {
	if pkg.Module != nil && pkg.Module.Version == "" {
		return true
	}
	var imports []string
	for _, imp := range pkg.Imports {
		imports = append(imports, imp.PkgPath)
	}
	return ssair.UsesClient(pkg.PkgPath, imports)
}

// withProgress adds an analyzer that counts the packages on which all rules
// have run.
func withProgress(rules []*analysis.Analyzer, progress func(string, int, int), total int) []*analysis.Analyzer {
	if progress == nil {
		return rules
	}
	progress("analysing", 0, total)
	var done atomic.Int64
	return append(slices.Clip(rules), &analysis.Analyzer{
		Name:     "progress",
		Doc:      "count analysed packages",
		Requires: rules,
		Run: func(*analysis.Pass) (any, error) {
			progress("analysing", int(done.Add(1)), total)
			return nil, nil
		},
	})
}

// broken returns a failure for each package on which an analyzer broke. What
// only suffered from that says nothing of its own.
func broken(graph *checker.Graph) []load.Failure {
	seen := make(map[load.Failure]bool)
	var failures []load.Failure
	for act := range graph.All() {
		if act.Err == nil || slices.ContainsFunc(act.Deps, func(dep *checker.Action) bool { return dep.Err != nil }) {
			continue
		}
		f := load.Failure{Package: act.Package.PkgPath, Message: act.Err.Error()}
		if !seen[f] {
			seen[f] = true
			failures = append(failures, f)
		}
	}
	slices.SortFunc(failures, func(a, b load.Failure) int { return strings.Compare(a.Message, b.Message) })
	return failures
}

func finding(act *checker.Action, d analysis.Diagnostic) Finding {
	fset := act.Package.Fset
	place := func(pos token.Pos) token.Position {
		posn := fset.Position(pos)
		posn.Filename = filepath.Clean(posn.Filename)
		return posn
	}
	f := Finding{
		Rule:    act.Analyzer.Name,
		Package: act.Package.PkgPath,
		Pos:     place(d.Pos),
		End:     place(cmp.Or(d.End, d.Pos)),
		Message: d.Message,
		URL:     d.URL,
	}
	for _, fix := range d.SuggestedFixes {
		var edits []Edit
		for _, e := range fix.TextEdits {
			edits = append(edits, Edit{Pos: place(e.Pos), End: place(cmp.Or(e.End, e.Pos)), New: string(e.NewText)})
		}
		f.Fixes = append(f.Fixes, Fix{Message: fix.Message, Edits: edits})
	}
	return f
}

func compareFindings(a, b Finding) int {
	return cmp.Or(
		strings.Compare(a.Pos.Filename, b.Pos.Filename),
		cmp.Compare(a.Pos.Line, b.Pos.Line),
		cmp.Compare(a.Pos.Column, b.Pos.Column),
		strings.Compare(a.Rule, b.Rule),
		strings.Compare(a.Message, b.Message),
		strings.Compare(a.Package, b.Package),
	)
}

// sameFinding reports whether a reader would take the two for one: a file may
// belong to several packages.
func sameFinding(a, b Finding) bool {
	return a.Pos == b.Pos && a.Rule == b.Rule && a.Message == b.Message
}
