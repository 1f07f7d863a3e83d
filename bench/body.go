package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// source is a copy of a body of code.
type source struct {
	name, version string
	dir           string
	patterns      []string
	lines         int
	leaf          string // file to edit, relative to dir
	edits         int
}

// known has the bodies that have a name. They come from the module proxy, except
// the operator, which is in this repository.
var known = map[string]struct {
	module   string
	dirs     []string // that are needed; all if nil
	patterns []string
}{
	"operator":           {patterns: []string{"./..."}},
	"cluster-api":        {module: "sigs.k8s.io/cluster-api@v1.11.0", patterns: []string{"./controlplane/kubeadm/..."}},
	"controller-runtime": {module: "sigs.k8s.io/controller-runtime@v0.25.2", patterns: []string{"./..."}},
	"kubernetes": {
		module:   "k8s.io/kubernetes@v1.36.3", // which the operator's tests build
		dirs:     []string{"cmd", "pkg", "plugin", "test", "third_party"},
		patterns: []string{"./pkg/controller/..."},
	},
}

func bodyNames() []string {
	return []string{"operator", "cluster-api", "controller-runtime", "kubernetes"}
}

// prepareBody copies a body. Unless only servers are measured it makes the go
// command compile the packages that the body imports.
func prepareBody(work, name string, compile bool) (*source, error) {
	b := &source{name: strings.ReplaceAll(name, string(filepath.Separator), "_"), version: "as it is", patterns: []string{"./..."}}
	from := name
	var dirs []string
	if k, ok := known[name]; ok {
		b.patterns, dirs = k.patterns, k.dirs
		root, err := output("", "go", "list", "-m", "-f", "{{.Dir}}", "github.com/operatorvet/operatorvet")
		if err != nil {
			return nil, err
		}
		from = filepath.Join(root, "operator")
		if k.module != "" {
			out, err := output("", "go", "mod", "download", "-json", k.module)
			if err != nil {
				return nil, err
			}
			var downloaded struct{ Dir string }
			if err := json.Unmarshal([]byte(out), &downloaded); err != nil {
				return nil, err
			}
			from, b.version = downloaded.Dir, k.module
		}
	}
	b.dir = filepath.Join(work, "bodies", b.name)
	if _, err := os.Stat(filepath.Join(from, "go.mod")); err != nil {
		return nil, err
	}
	if err := copyTree(from, b.dir, dirs); err != nil {
		return nil, err
	}
	if name == "kubernetes" {
		if err := releaseStaging(b.dir); err != nil {
			return nil, err
		}
	}
	if compile {
		fmt.Fprintln(os.Stderr, "compiling", name, "and what it imports")
		// With -e, and whatever it says: a directory's code need not all compile.
		if _, err := output(b.dir, "go", append([]string{"list", "-e", "-export", "-deps", "-test"}, b.patterns...)...); err != nil {
			return nil, err
		}
	}
	return b, b.survey()
}

// copyTree copies the files in the root of a tree and the named directories, or
// all directories if none is named.
func copyTree(from, to string, dirs []string) error {
	return filepath.WalkDir(from, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, file)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			top := !strings.Contains(rel, string(filepath.Separator)) && rel != "."
			if entry.Name() == ".git" || top && dirs != nil && !slices.Contains(dirs, rel) {
				return fs.SkipDir
			}
			return os.MkdirAll(filepath.Join(to, rel), 0o777)
		}
		if !entry.Type().IsRegular() || rel == "go.work" {
			return nil
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), data, 0o666)
	})
}

// releaseStaging replaces the modules that Kubernetes has in its own repository
// by their releases. The module proxy does not have them as part of Kubernetes'
// module.
func releaseStaging(dir string) error {
	out, err := output(dir, "go", "mod", "edit", "-json")
	if err != nil {
		return err
	}
	var mod struct {
		Replace []struct{ Old, New struct{ Path string } }
	}
	if err := json.Unmarshal([]byte(out), &mod); err != nil {
		return err
	}
	_, version, _ := strings.Cut(known["kubernetes"].module, "@v1.")
	args := []string{"mod", "edit"}
	for _, r := range mod.Replace {
		if strings.HasPrefix(r.New.Path, "./staging/") {
			args = append(args, fmt.Sprintf("-replace=%s=%s@v0.%s", r.Old.Path, r.Old.Path, version))
		}
	}
	if _, err := output(dir, "go", args...); err != nil {
		return err
	}
	_, err = output(dir, "go", append([]string{"list", "-mod=mod", "-deps", "-test"}, known["kubernetes"].patterns...)...)
	return err
}

// survey counts lines and chooses the file to edit. Among the packages that no
// other package imports, or only programs, it takes the one of median size, and
// its largest file.
func (b *source) survey() error {
	out, err := output(b.dir, "go", append([]string{"list", "-e", "-json=ImportPath,Name,Dir,GoFiles,TestGoFiles,XTestGoFiles,Imports,TestImports,XTestImports"}, b.patterns...)...)
	if err != nil {
		return err
	}
	type listed struct {
		ImportPath, Name, Dir              string
		GoFiles, TestGoFiles, XTestGoFiles []string
		Imports, TestImports, XTestImports []string
		size                               int
		largest                            string
	}
	var pkgs []*listed
	imported := make(map[string]bool)
	for dec := json.NewDecoder(strings.NewReader(out)); dec.More(); {
		p := new(listed)
		if err := dec.Decode(p); err != nil {
			return err
		}
		for _, path := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			imported[path] = imported[path] || path != p.ImportPath && p.Name != "main"
		}
		largest := 0
		for _, file := range slices.Concat(p.GoFiles, p.TestGoFiles, p.XTestGoFiles) {
			data, err := os.ReadFile(filepath.Join(p.Dir, file))
			if err != nil {
				return err
			}
			b.lines += strings.Count(string(data), "\n")
			if slices.Contains(p.GoFiles, file) {
				p.size += len(data)
				if len(data) > largest {
					largest, p.largest = len(data), filepath.Join(p.Dir, file)
				}
			}
		}
		pkgs = append(pkgs, p)
	}
	leaves := slices.DeleteFunc(pkgs, func(p *listed) bool {
		return imported[p.ImportPath] || len(p.GoFiles) == 0 || p.Name == "main" || path.Base(p.ImportPath) == "testing"
	})
	if len(leaves) == 0 {
		return errors.New("no package that others do not import")
	}
	slices.SortFunc(leaves, func(a, b *listed) int { return a.size - b.size })
	b.leaf, err = filepath.Rel(b.dir, leaves[len(leaves)/2].largest)
	return err
}

// edit changes the leaf to another content.
func (b *source) edit() error {
	b.edits++
	f, err := os.OpenFile(filepath.Join(b.dir, b.leaf), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = fmt.Fprintf(f, "\n// Edit %d.\n", b.edits)
	return err
}
