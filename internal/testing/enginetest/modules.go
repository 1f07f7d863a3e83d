package enginetest

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
	"golang.org/x/mod/modfile"
)

// WriteModule writes the files of an archive and a go.mod to dir. The module
// requires the modules that have stubs. It is for tests that load packages with
// the go command.
func WriteModule(dir string, arc *txtar.Archive) error {
	mod := new(modfile.File)
	if err := mod.AddModuleStmt("example.com"); err != nil {
		return err
	}
	if err := mod.AddGoStmt("1.25.0"); err != nil {
		return err
	}
	const libraries = ".stubs" // which the go command does not look into
	all := &txtar.Archive{Files: arc.Files}
	entries, err := stubs.ReadDir("stubs")
	if err != nil {
		return err
	}
	for _, entry := range entries {
		data, err := stubs.ReadFile(path.Join("stubs", entry.Name()))
		if err != nil {
			return err
		}
		for _, f := range txtar.Parse(data).Files {
			all.Files = append(all.Files, txtar.File{Name: path.Join(libraries, f.Name), Data: f.Data})
			if path.Base(f.Name) != "go.mod" {
				continue
			}
			module, version := path.Dir(f.Name), "v0.0.0"
			if base := path.Base(module); strings.HasPrefix(base, "v") && len(base) == 2 {
				version = base + ".0.0"
			}
			if err := mod.AddRequire(module, version); err != nil {
				return err
			}
			if err := mod.AddReplace(module, "", "./"+path.Join(libraries, module), ""); err != nil {
				return err
			}
		}
	}
	text, err := mod.Format()
	if err != nil {
		return err
	}
	all.Files = append(all.Files, txtar.File{Name: "go.mod", Data: text})
	return txtar.Write(all, filepath.Clean(dir))
}
