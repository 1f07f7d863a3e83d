package load

import (
	"os"

	"github.com/operatorvet/operatorvet/internal/run/cache"
)

// recall finds the packages whose visit an earlier run has cached. It marks for
// type-checking, without bodies, those that a package to be visited can reach.
func (g *graph) recall() {
	for _, n := range g.nodes {
		if n.from != fromSyntax {
			continue
		}
		kept, ok := g.cfg.Memory.Cache.Get(n.key)
		if ok && g.cfg.Memory.Recall(n.Package, n.root, kept) {
			n.from, n.recalled = fromNothing, true
		}
	}
	reached := make(map[*node]bool)
	for i := len(g.nodes) - 1; i >= 0; i-- { // importers first
		n := g.nodes[i]
		if n.recalled && reached[n] {
			n.from = fromDeclaration
		}
		for _, imp := range n.earlier() {
			reached[imp] = reached[imp] || reached[n] || n.from == fromSyntax
		}
	}
}

// keep caches the result of a node's visit, unless the visit depends on
// something that is not in the key.
func (g *graph) keep(n *node, result []byte) {
	n.fleeting = n.fleeting || result == nil || n.CompiledGoFiles != nil // by cgo, for which there is a C compiler to ask
	if g.cfg.Memory != nil && !n.fleeting {
		g.cfg.Memory.Cache.Put(n.key, result)
	}
}

// exportFile returns the file in which an earlier run found a package's export
// data, or "". The go command names the files in its cache by their content, so
// a file that still exists is the right one.
func (g *graph) exportFile(n *node) string {
	if g.cfg.Memory == nil {
		return ""
	}
	name, ok := g.cfg.Memory.Cache.Get(g.exportKey(n))
	if !ok {
		return ""
	}
	if _, err := os.Stat(string(name)); err != nil {
		return ""
	}
	return string(name)
}

func (g *graph) keepExportFile(n *node) {
	if g.cfg.Memory != nil {
		g.cfg.Memory.Cache.Put(g.exportKey(n), []byte(n.ExportFile))
	}
}

func (g *graph) exportKey(n *node) cache.Key {
	if n.key == (cache.Key{}) {
		return n.key
	}
	h := g.cfg.Memory.Cache.Hash("export file")
	h.Key(n.key)
	return h.Sum()
}
