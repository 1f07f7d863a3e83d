package load

import (
	"bytes"
	"encoding/gob"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/operatorvet/operatorvet/internal/run/cache"
	"github.com/operatorvet/operatorvet/internal/wiring"
)

// findWiring surveys the modules that the run sees whole, and makes each package
// wait for those that its view tells of.
func (g *graph) findWiring(k *keys) {
	if g.cfg.Surveyed == nil {
		return
	}
	whole := g.wholeModules()
	byPath := make(map[string]*node) // one of each package and its test variants
	for _, n := range g.nodes {
		if n.Module != nil && whole[n.Module.Path] && !strings.HasSuffix(n.PkgPath, "_test") && (byPath[n.PkgPath] == nil || n.ID == n.PkgPath) {
			byPath[n.PkgPath] = n
		}
	}
	if len(byPath) == 0 {
		return
	}
	for _, n := range g.nodes {
		// Packages of other modules that import some of these may store in fields, too.
		if byPath[n.PkgPath] == nil && !inTests(n) && slices.ContainsFunc(n.imports, func(imp *node) bool { return byPath[imp.PkgPath] != nil }) {
			byPath[n.PkgPath] = n
		}
	}
	var mu sync.Mutex
	var surveys []*wiring.Survey
	nodes := make([]*node, 0, len(byPath))
	for _, n := range byPath {
		nodes = append(nodes, n)
	}
	parallel(nodes, func(n *node) {
		s := g.survey(n, byPath, k)
		mu.Lock()
		defer mu.Unlock()
		surveys = append(surveys, s)
	})
	g.module = wiring.NewModule(surveys)
	added := false
	for _, n := range g.nodes {
		if byPath[n.PkgPath] == nil || n.from != fromSyntax {
			continue
		}
		for _, path := range g.module.Needs(n.PkgPath) {
			if need := g.byID[path]; need != nil && need.from == fromSyntax && !slices.Contains(n.imports, need) {
				n.needs = append(n.needs, need)
				added = true
			}
		}
	}
	if added {
		g.sort()
	}
}

// inTests reports whether the package is a variant for tests, or one that only
// tests have.
func inTests(n *node) bool { return n.ForTest != "" || strings.HasSuffix(n.ID, ".test") }

// wholeModules returns the modules under development of which the patterns match
// all packages.
func (g *graph) wholeModules() map[string]bool {
	dir, err := filepath.Abs(g.cfg.Dir)
	if err != nil {
		return nil
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	whole := make(map[string]bool)
	for _, n := range g.nodes {
		if !n.root || !n.underDevelopment() || whole[n.Module.Path] {
			continue
		}
		for _, pattern := range g.cfg.Patterns {
			in := n.Module.Dir
			if real, err := filepath.EvalSymlinks(in); err == nil {
				in = real
			}
			if pattern == n.Module.Path+"/..." || pattern == "./..." && in == dir {
				whole[n.Module.Path] = true
			}
		}
	}
	return whole
}

// survey returns the survey of a package, which a former run may have made.
func (g *graph) survey(n *node, byPath map[string]*node, k *keys) *wiring.Survey {
	var files []string
	for _, name := range n.GoFiles {
		if g.cfg.Surveyed(name) {
			files = append(files, name)
		}
	}
	key := k.ofSurvey(n, files, byPath)
	if s := g.recallSurvey(key); s != nil {
		return s
	}
	fset := token.NewFileSet()
	var syntax []*ast.File
	for _, name := range files {
		// What is not well-formed will be reported when the package is analysed.
		if file, _ := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution); file != nil {
			syntax = append(syntax, file)
		}
	}
	s := wiring.Collect(&wiring.Package{
		Path: n.PkgPath, Name: n.Name, Files: syntax,
		NameOf: func(path string) string {
			if imp := n.Imports[path]; imp != nil {
				return imp.Name
			}
			return ""
		},
		InModule: func(path string) bool { return byPath[path] != nil },
	})
	g.keepSurvey(key, s)
	return s
}

// ofSurvey returns the key of a survey.
func (k *keys) ofSurvey(n *node, files []string, byPath map[string]*node) cache.Key {
	if k.cfg.Memory == nil {
		return cache.Key{}
	}
	h := k.cfg.Memory.Cache.Hash("survey")
	h.Text(n.PkgPath, n.Name)
	for _, name := range files {
		sum, ok := k.files[name]
		if !ok {
			return cache.Key{}
		}
		h.Key(sum)
	}
	var imports []string
	for path, imp := range n.Imports {
		name := path + " " + imp.Name
		if byPath[path] != nil {
			name += " of the module"
		}
		imports = append(imports, name)
	}
	slices.Sort(imports)
	h.Text(imports...)
	return h.Sum()
}

func (g *graph) recallSurvey(key cache.Key) *wiring.Survey {
	if g.cfg.Memory == nil {
		return nil
	}
	data, ok := g.cfg.Memory.Cache.Get(key)
	if !ok {
		return nil
	}
	s := new(wiring.Survey)
	if gob.NewDecoder(bytes.NewReader(data)).Decode(s) != nil {
		return nil
	}
	return s
}

func (g *graph) keepSurvey(key cache.Key, s *wiring.Survey) {
	if g.cfg.Memory == nil {
		return
	}
	var buf bytes.Buffer
	if gob.NewEncoder(&buf).Encode(s) == nil {
		g.cfg.Memory.Cache.Put(key, buf.Bytes())
	}
}

// earlier returns the packages that are analysed before the node's.
func (n *node) earlier() []*node { return append(slices.Clip(n.imports), n.needs...) }

// sort puts the packages that are analysed earlier before the others again.
func (g *graph) sort() {
	sorted := make([]*node, 0, len(g.nodes))
	seen := make(map[*node]bool)
	var add func(n *node)
	add = func(n *node) {
		if seen[n] {
			return
		}
		seen[n] = true
		for _, imp := range n.earlier() {
			add(imp)
		}
		sorted = append(sorted, n)
	}
	for _, n := range g.nodes {
		add(n)
	}
	g.nodes = sorted
}

// view returns the view of a package that has its types, or nil.
func (g *graph) view(n *node) *wiring.View {
	if g.module == nil {
		return nil
	}
	var needs []*types.Package
	for _, need := range n.needs {
		needs = append(needs, need.Types)
	}
	return g.module.View(n.Types, needs)
}
