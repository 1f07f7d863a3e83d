package load

import (
	"path/filepath"
	"slices"
	"strings"
)

// Roots are the directories of the modules under development. What is kept for
// later runs names files relative to these, because a later run may have them
// elsewhere: CI systems restore a cache beside another checkout.
type Roots []root // the deepest first

type root struct{ module, dir string }

func (g *graph) roots() Roots {
	var roots Roots
	for _, n := range g.nodes {
		if !n.underDevelopment() || n.Module.Dir == "" {
			continue
		}
		if r := (root{n.Module.Path, n.Module.Dir}); !slices.Contains(roots, r) {
			roots = append(roots, r)
		}
	}
	slices.SortFunc(roots, func(a, b root) int { return len(b.dir) - len(a.dir) })
	return roots
}

// mark is in no path.
const mark = "\x00"

// Relative returns the name of a file that is to be kept.
func (roots Roots) Relative(file string) string {
	for _, r := range roots {
		if rel, ok := strings.CutPrefix(file, r.dir+string(filepath.Separator)); ok {
			return r.module + mark + filepath.ToSlash(rel)
		}
	}
	return file
}

// Absolute is the inverse of Relative.
func (roots Roots) Absolute(kept string) string {
	module, rel, ok := strings.Cut(kept, mark)
	if !ok {
		return kept
	}
	i := slices.IndexFunc(roots, func(r root) bool { return r.module == module })
	if i < 0 {
		return rel // of a module that no longer is under development
	}
	return filepath.Join(roots[i].dir, filepath.FromSlash(rel))
}
