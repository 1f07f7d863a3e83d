package load

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/operatorvet/operatorvet/internal/run/cache"
)

// keys computes keys.
type keys struct {
	*graph
	files    map[string]cache.Key // of files that may change; no key if not readable
	releases map[string]string    // by root directory; see release
}

// find computes the key of each node: a hash of its code, of that of all packages
// it imports, and of its view. It parses nothing. It does not even read what
// cannot change: the standard library of a released Go, and modules in the module
// cache.
//
// The platform, build tags and the go command's other settings show in the files
// that a package has. Those of the standard library reflect most of them.
func (k *keys) find() {
	for _, n := range k.nodes {
		n.key = k.of(n)
	}
}

// readFiles fills in k.files.
func (k *keys) readFiles() {
	var names []string
	for _, n := range k.nodes {
		if k.pinned(n) == "" {
			names = append(names, sources(n)...)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	var mu sync.Mutex
	parallel(names, func(name string) {
		data, err := os.ReadFile(name)
		if err != nil {
			return
		}
		sum := cache.Key(sha256.Sum256(data))
		mu.Lock()
		defer mu.Unlock()
		k.files[name] = sum
	})
}

// sources returns the files that determine a package.
func sources(n *node) []string { return slices.Concat(n.GoFiles, n.OtherFiles, n.EmbedFiles) }

// pinned returns the version of code that never changes, or "".
func (k *keys) pinned(n *node) string {
	if len(n.GoFiles) == 0 {
		return ""
	}
	dir := filepath.Dir(n.GoFiles[0])
	if n.Module == nil {
		return k.release(dir, n.PkgPath)
	}
	mod := n.Module
	if mod.Replace != nil {
		mod = mod.Replace
	}
	// Only in the module cache does a directory have such a name: neither what
	// is vendored nor what a replace line points to.
	if mod.Version == "" || !strings.HasSuffix(mod.Dir, "@"+mod.Version) || !strings.HasPrefix(dir, mod.Dir) {
		return ""
	}
	return mod.Dir
}

// release returns the version of Go whose standard library is in the directory.
// It returns "" for other directories, and for a Go under development.
func (k *keys) release(dir, path string) string {
	root, ok := strings.CutSuffix(filepath.ToSlash(dir), "/src/"+path)
	if !ok {
		return ""
	}
	version, known := k.releases[root]
	if !known {
		data, _ := os.ReadFile(filepath.Join(root, "VERSION"))
		if strings.HasPrefix(string(data), "go") {
			version = string(data)
		}
		k.releases[root] = version
	}
	return version
}

// of returns the key of a node whose imports have theirs. It returns no key if
// something about the node is unknown.
func (k *keys) of(n *node) cache.Key {
	h := k.cfg.Memory.Cache.Hash("package")
	h.Text(n.ID, n.PkgPath, n.Name, n.ForTest, fmt.Sprint(n.TypesSizes))
	if n.from == fromSyntax {
		h.Text(k.cfg.Memory.SaltOf(n.Package), k.module.Digest(n.PkgPath))
	}
	if n.Module != nil {
		h.Text(n.Module.Path, n.Module.Version, n.Module.GoVersion)
	}
	for _, err := range n.Errors {
		h.Text(strconv.Itoa(int(err.Kind)), err.Pos, err.Msg)
	}
	version := k.pinned(n)
	h.Text(version)
	for _, name := range sources(n) {
		h.Text(k.cfg.Memory.Roots.Relative(name))
		if version == "" {
			file, ok := k.files[name]
			if !ok {
				return cache.Key{}
			}
			h.Key(file)
		}
	}
	paths := make([]string, 0, len(n.Imports))
	for path := range n.Imports {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for _, path := range paths {
		imp := k.byID[n.Imports[path].ID]
		if imp.key == (cache.Key{}) {
			return cache.Key{}
		}
		h.Text(path)
		h.Key(imp.key)
	}
	for _, need := range n.needs {
		if need.key == (cache.Key{}) {
			return cache.Key{}
		}
		h.Key(need.key)
	}
	return h.Sum()
}
