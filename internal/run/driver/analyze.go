package driver

import (
	"fmt"
	"go/types"
	"os"
	"reflect"
	"slices"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/objectpath"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/rules/facts"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
	"github.com/operatorvet/operatorvet/internal/wiring"
)

// runner applies analyzers to one package after the other, in any order in which
// a package's imports come first. It does the work of x/tools' checker. The
// checker starts on all packages at once and keeps all packages and all results,
// which takes several times the memory for a large operator. A runner keeps only
// the facts of a package.
type runner struct {
	analyzers []*analysis.Analyzer // each after those that it requires

	mu       sync.RWMutex
	facts    map[*types.Package]*packageFacts
	recalled map[*packages.Package][]byte // facts that former runs have found, encoded
}

// packageFacts has the facts that analyzers exported about a package. It does
// not change after all of them have run.
type packageFacts struct {
	ofObjects map[objectFact]analysis.Fact
	ofPackage map[reflect.Type]analysis.Fact
	recalled  *recalledFacts   // instead, if a former run has analysed it
	imports   []*types.Package // all that were analysed, direct or not
}

type objectFact struct {
	obj types.Object
	typ reflect.Type
}

func newRunner(rules []*analysis.Analyzer) *runner {
	r := &runner{facts: make(map[*types.Package]*packageFacts), recalled: make(map[*packages.Package][]byte)}
	seen := make(map[*analysis.Analyzer]bool)
	var add func(a *analysis.Analyzer)
	add = func(a *analysis.Analyzer) {
		if seen[a] {
			return
		}
		seen[a] = true
		for _, req := range a.Requires {
			add(req)
		}
		r.analyzers = append(r.analyzers, a)
	}
	for _, rule := range rules {
		add(rule)
	}
	return r
}

// analyze runs the analyzers on a package, which has the view of the module that
// per-package drivers do not have. It passes their findings to report, with what the rule
// knows of them, and returns the facts for importers. An analyzer that fails prevents those
// that require it from running. The error is the first one.
func (r *runner) analyze(pkg *packages.Package, view *wiring.View, report func(*analysis.Analyzer, analysis.Diagnostic, rule.About)) ([]facts.Fact, error) {
	r.mu.Lock()
	own := r.open(pkg)
	r.mu.Unlock()
	results := make(map[*analysis.Analyzer]any)
	var failed error
	for _, a := range r.analyzers {
		if wiring.IsAnalyzer(a) && view != nil {
			results[a] = view
			continue
		}
		inputs := make(map[*analysis.Analyzer]any)
		for _, req := range a.Requires {
			if result, ok := results[req]; ok {
				inputs[req] = result
			}
		}
		if len(inputs) < len(a.Requires) {
			continue
		}
		pass := r.pass(a, pkg, own)
		pass.ResultOf = inputs
		var found []analysis.Diagnostic
		pass.Report = func(d analysis.Diagnostic) { found = append(found, d) }
		result, err := a.Run(pass)
		for _, d := range found {
			report(a, d, about(result, d))
		}
		if err != nil {
			if failed == nil {
				failed = err
			}
			continue
		}
		results[a] = result
	}
	return own.forImporters(), failed
}

// about returns what the result of an analyzer knows of its finding. Only rules know
// more than the diagnostic.
func about(result any, d analysis.Diagnostic) rule.About {
	if of, ok := result.(*rule.Suppressions); ok {
		return of.About(d)
	}
	return rule.About{}
}

// open makes an entry for the facts about a package that is analysed next, or
// was analysed in an earlier run. r.mu must be held.
func (r *runner) open(pkg *packages.Package) *packageFacts {
	own := &packageFacts{
		ofObjects: make(map[objectFact]analysis.Fact),
		ofPackage: make(map[reflect.Type]analysis.Fact),
	}
	if encoded, ok := r.recalled[pkg]; ok {
		own.recalled = &recalledFacts{encoded: encoded}
	}
	seen := make(map[*types.Package]bool)
	for _, imp := range pkg.Imports {
		about := r.facts[imp.Types]
		if about == nil {
			about = r.open(imp) // nobody has asked for this recalled package yet
		}
		for _, p := range append(about.imports, imp.Types) {
			if !seen[p] {
				seen[p] = true
				own.imports = append(own.imports, p)
			}
		}
	}
	own.imports = slices.Clip(own.imports) // so that appending copies
	r.facts[pkg.Types] = own
	return own
}

// about returns the facts about a package, or nil.
func (r *runner) about(pkg *types.Package) *packageFacts {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.facts[pkg]
}

// pass returns the pass of an analyzer for a package.
func (r *runner) pass(a *analysis.Analyzer, pkg *packages.Package, own *packageFacts) *analysis.Pass {
	mayExport := func(fact analysis.Fact) reflect.Type {
		typ := reflect.TypeOf(fact)
		if !slices.ContainsFunc(a.FactTypes, func(f analysis.Fact) bool { return reflect.TypeOf(f) == typ }) {
			panic(fmt.Sprintf("%s has no facts of type %T", a, fact))
		}
		return typ
	}
	return &analysis.Pass{
		Analyzer:     a,
		Fset:         pkg.Fset,
		Files:        pkg.Syntax,
		OtherFiles:   slices.Concat(pkg.OtherFiles, pkg.EmbedFiles), // a template may be embedded
		IgnoredFiles: pkg.IgnoredFiles,
		Pkg:          pkg.Types,
		TypesInfo:    pkg.TypesInfo,
		TypesSizes:   pkg.TypesSizes,
		Module:       module(pkg.Module),
		ReadFile:     os.ReadFile,
		ImportObjectFact: func(obj types.Object, fact analysis.Fact) bool {
			if obj.Pkg() == nil || obj.Pkg() != pkg.Types && !exported(obj) {
				return false
			}
			about, typ := r.about(obj.Pkg()), reflect.TypeOf(fact)
			return about != nil && (facts.Set(fact, about.ofObjects[objectFact{obj, typ}]) || facts.Set(fact, about.recalled.ofObject(obj, typ)))
		},
		ImportPackageFact: func(of *types.Package, fact analysis.Fact) bool {
			about, typ := r.about(of), reflect.TypeOf(fact)
			return about != nil && (facts.Set(fact, about.ofPackage[typ]) || facts.Set(fact, about.recalled.ofPackage(typ)))
		},
		ExportObjectFact: func(obj types.Object, fact analysis.Fact) {
			if obj.Pkg() != pkg.Types {
				panic(fmt.Sprintf("fact of %s about %s, which is in another package", pkg.Types.Path(), obj))
			}
			own.ofObjects[objectFact{obj, mayExport(fact)}] = fact
		},
		ExportPackageFact: func(fact analysis.Fact) { own.ofPackage[mayExport(fact)] = fact },
		AllObjectFacts: func() []analysis.ObjectFact {
			var all []analysis.ObjectFact
			for _, p := range append(own.imports, pkg.Types) {
				for key, fact := range r.about(p).ofObjects {
					if p == pkg.Types || exported(key.obj) {
						all = append(all, analysis.ObjectFact{Object: key.obj, Fact: fact})
					}
				}
				for _, f := range a.FactTypes {
					for path, fact := range r.about(p).recalled.ofObjects(reflect.TypeOf(f)) {
						if obj, err := objectpath.Object(p, path); err == nil {
							all = append(all, analysis.ObjectFact{Object: obj, Fact: fact})
						}
					}
				}
			}
			return all
		},
		AllPackageFacts: func() []analysis.PackageFact {
			var all []analysis.PackageFact
			for _, p := range append(own.imports, pkg.Types) {
				for _, fact := range r.about(p).ofPackage {
					all = append(all, analysis.PackageFact{Package: p, Fact: fact})
				}
				for _, f := range a.FactTypes {
					if fact := r.about(p).recalled.ofPackage(reflect.TypeOf(f)); fact != nil {
						all = append(all, analysis.PackageFact{Package: p, Fact: fact})
					}
				}
			}
			return all
		},
	}
}

// exported reports whether drivers that keep facts in files pass facts about the
// object on to other packages.
func exported(obj types.Object) bool {
	fn, ok := obj.(*types.Func)
	return !ok || ssair.Referable(fn)
}

// module returns the module of a package as analyzers see it. One that is replaced by a directory
// is under development.
func module(mod *packages.Module) *analysis.Module {
	if mod == nil {
		return new(analysis.Module)
	}
	version := mod.Version
	if mod.Replace != nil && mod.Replace.Version == "" && !library.IsKubernetes(mod.Path) {
		version = "" // of a directory, such as ./api
	}
	return &analysis.Module{Path: mod.Path, Version: version, GoVersion: mod.GoVersion}
}
