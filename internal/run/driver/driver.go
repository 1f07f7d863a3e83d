// Package driver runs rules over the packages of an operator, and returns their
// findings in a deterministic order.
package driver

import (
	"cmp"
	"errors"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"

	"github.com/operatorvet/operatorvet/internal/rules/config"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/run/cache"
	"github.com/operatorvet/operatorvet/internal/run/load"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
	"github.com/operatorvet/operatorvet/internal/wiring"
)

// Finding is a finding of a rule.
type Finding struct {
	Rule     string
	Package  string // path
	Function string // or other declaration that it is in: "F", "(*T).F", "v", or ""
	Pos      token.Position
	End      token.Position
	Message  string
	URL      string
	Fixes    []Fix
	rule.About
}

// Fix is a change that removes the cause of a finding.
type Fix struct {
	Message string
	Edits   []Edit
}

// Edit replaces part of a file, which had FileSize bytes when it was analysed.
type Edit struct {
	Pos, End token.Position
	New      string
	FileSize int
}

// Report is the result of a run.
type Report struct {
	Findings []Finding         // sorted by place
	Failures []load.Failure    // sorted by package
	Packages []string          // paths of those that match the patterns and were analysed
	Modules  map[string]string // from the paths of their modules to directories
}

// Run runs the rules over the packages that cfg describes. It sets cfg.Relevant,
// cfg.Surveyed, cfg.Visit and cfg.Memory. The cache, which may be nil, saves work that earlier
// runs have done; it does not change the report. The rules' results may depend
// only on the code, the options file, and what the keys of the cache depend on.
func Run(cfg load.Config, rules []*analysis.Analyzer, c *cache.Cache) (*Report, error) {
	if err := analysis.Validate(rules); err != nil {
		return nil, err
	}
	rep := &Report{Modules: make(map[string]string)}
	var mu sync.Mutex // guards rep
	add := func(pkg *packages.Package, found []Finding) {
		mu.Lock()
		defer mu.Unlock()
		rep.Findings = append(rep.Findings, found...)
		rep.Packages = append(rep.Packages, pkg.PkgPath)
		if pkg.Module != nil {
			rep.Modules[pkg.Module.Path] = pkg.Module.Dir
		}
	}
	r := newRunner(rules)
	var memory *load.Memory
	cfg.Relevant = relevant
	cfg.Surveyed = func(file string) bool { return !ssair.LeftOut(file) }
	cfg.Visit = func(pkg *packages.Package, view *wiring.View, matched bool) []byte {
		var found []Finding
		facts, err := r.analyze(pkg, view, func(a *analysis.Analyzer, d analysis.Diagnostic, more rule.About) {
			if slices.Contains(rules, a) {
				f := NewFinding(pkg, a, d)
				f.About = more
				found = append(found, f)
			}
		})
		if matched {
			add(pkg, found)
		}
		if err != nil {
			failure := load.Failure{Package: pkg.PkgPath, Message: err.Error()}
			var options *config.Error
			if errors.As(err, &options) {
				failure = load.Failure{Pos: options.Pos(), Message: options.Text} // of all packages alike
			}
			mu.Lock()
			defer mu.Unlock()
			rep.Failures = append(rep.Failures, failure)
			return nil
		}
		if memory == nil {
			return nil
		}
		return encode(moved(found, memory.Roots.Relative), facts)
	}
	if c != nil {
		memory = &load.Memory{
			Cache:  c.For(names(rules)...),
			SaltOf: optionsFile,
			Recall: func(pkg *packages.Package, matched bool, kept []byte) bool {
				found, facts, ok := decode(kept)
				if !ok {
					return false
				}
				r.recalled[pkg] = facts
				if matched {
					add(pkg, moved(found, memory.Roots.Absolute))
				}
				return true
			},
		}
		cfg.Memory = memory
		defer c.Trim()
	}
	prog, err := load.Load(cfg)
	if err != nil {
		return nil, err
	}
	rep.Failures = append(rep.Failures, prog.Failures...)
	slices.SortFunc(rep.Failures, func(a, b load.Failure) int {
		return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.Message, b.Message))
	})
	rep.Failures = slices.Compact(rep.Failures)
	slices.Sort(rep.Packages)
	slices.SortFunc(rep.Findings, CompareFindings)
	rep.Findings = slices.CompactFunc(rep.Findings, sameFinding)
	return rep, nil
}

func names(rules []*analysis.Analyzer) []string {
	var names []string
	for _, rule := range rules {
		names = append(names, rule.Name)
	}
	return names
}

// optionsFile returns the content of the options file for the package.
func optionsFile(pkg *packages.Package) string {
	if len(pkg.GoFiles) == 0 {
		return ""
	}
	return config.Source(filepath.Dir(pkg.GoFiles[0]))
}

// relevant is [ssair.Relevant] for a package that has no types yet.
func relevant(pkg *packages.Package) bool {
	var imports []string
	for _, imp := range pkg.Imports {
		imports = append(imports, imp.PkgPath)
	}
	return ssair.RelevantBy(pkg.PkgPath, imports, module(pkg.Module))
}

// NewFinding returns the finding that a diagnostic of a rule describes.
func NewFinding(pkg *packages.Package, a *analysis.Analyzer, d analysis.Diagnostic) Finding {
	place := func(pos token.Pos) token.Position {
		posn := pkg.Fset.Position(pos)
		posn.Filename = filepath.Clean(posn.Filename)
		return posn
	}
	f := Finding{
		Rule:     a.Name,
		Package:  pkg.PkgPath,
		Function: declarationAt(pkg.Syntax, d.Pos),
		Pos:      place(d.Pos),
		End:      place(cmp.Or(d.End, d.Pos)),
		Message:  d.Message,
		URL:      d.URL,
	}
	for _, fix := range d.SuggestedFixes {
		var edits []Edit
		for _, e := range fix.TextEdits {
			edits = append(edits, Edit{Pos: place(e.Pos), End: place(cmp.Or(e.End, e.Pos)), New: string(e.NewText), FileSize: pkg.Fset.File(e.Pos).Size()})
		}
		f.Fixes = append(f.Fixes, Fix{Message: fix.Message, Edits: edits})
	}
	return f
}

// CompareFindings orders findings by place, rule and message.
func CompareFindings(a, b Finding) int {
	return cmp.Or(
		strings.Compare(a.Pos.Filename, b.Pos.Filename),
		cmp.Compare(a.Pos.Line, b.Pos.Line),
		cmp.Compare(a.Pos.Column, b.Pos.Column),
		strings.Compare(a.Rule, b.Rule),
		strings.Compare(a.Message, b.Message),
		strings.Compare(a.Package, b.Package),
	)
}

// sameFinding reports whether a reader would see the same finding twice, because
// a file may belong to several packages.
func sameFinding(a, b Finding) bool {
	return a.Pos == b.Pos && a.Rule == b.Rule && a.Message == b.Message
}
