// Package private makes copies of modules, so that the modules themselves need
// not be changed.
package private

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/operatorvet/operatorvet/field/internal/lint"
)

// Copy copies the module in a directory, and what the go command needs of the
// directories around it: a workspace, and modules that replace others. It
// returns the directory of the module in the copy.
func Copy(ctx context.Context, module, to string) (string, error) {
	module, err := filepath.Abs(module)
	if err != nil {
		return "", err
	}
	roots, err := needed(ctx, module)
	if err != nil {
		return "", err
	}
	base := roots[0]
	for _, root := range roots[1:] {
		for !within(root, base) {
			base = filepath.Dir(base)
		}
	}
	for i, root := range roots {
		if slices.ContainsFunc(roots[:i], func(other string) bool { return within(root, other) }) {
			continue
		}
		rel, err := filepath.Rel(base, root)
		if err != nil {
			return "", err
		}
		if err := Tree(root, filepath.Join(to, rel)); err != nil {
			return "", err
		}
	}
	rel, err := filepath.Rel(base, module)
	if err != nil {
		return "", err
	}
	// The temporary directory may be behind a symbolic link.
	return filepath.EvalSymlinks(filepath.Join(to, rel))
}

// needed returns the directories and files to copy, shortest first. Those that a
// replace line names by an absolute path stay where they are.
func needed(ctx context.Context, module string) ([]string, error) {
	file := filepath.Join(module, "go.mod")
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	mod, err := modfile.Parse(file, data, nil)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", file, err)
	}
	roots := []string{module}
	local := func(from string, replaced []*modfile.Replace) {
		for _, r := range replaced {
			if strings.HasPrefix(r.New.Path, "./") || strings.HasPrefix(r.New.Path, "../") {
				roots = append(roots, filepath.Join(from, filepath.FromSlash(r.New.Path)))
			}
		}
	}
	local(module, mod.Replace)
	workspace, err := lint.Output(ctx, module, "go", "env", "GOWORK")
	if err != nil {
		return nil, err
	}
	if workspace != "" && workspace != "off" {
		data, err := os.ReadFile(workspace)
		if err != nil {
			return nil, err
		}
		work, err := modfile.ParseWork(workspace, data, nil)
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", workspace, err)
		}
		dir := filepath.Dir(workspace)
		roots = append(roots, workspace)
		if sum := workspace + ".sum"; exists(sum) {
			roots = append(roots, sum)
		}
		for _, use := range work.Use {
			if !filepath.IsAbs(use.Path) {
				roots = append(roots, filepath.Join(dir, filepath.FromSlash(use.Path)))
			}
		}
		local(dir, work.Replace)
	}
	roots = slices.DeleteFunc(roots, func(root string) bool { return !exists(root) })
	slices.SortStableFunc(roots, func(a, b string) int { return cmp.Compare(len(a), len(b)) })
	return roots, nil
}

func exists(name string) bool { _, err := os.Stat(name); return err == nil }

// within reports whether a path is root or below it.
func within(path, root string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && filepath.IsLocal(rel)
}

// Tree copies a file, or a directory with all that is in it except what belongs
// to git. Symbolic links stay links.
func Tree(from, to string) error {
	return filepath.WalkDir(from, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		switch {
		case entry.Name() == ".git" && rel != ".":
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		case entry.IsDir():
			return os.MkdirAll(target, 0o777)
		case entry.Type()&fs.ModeSymlink != 0:
			link, err := os.Readlink(name)
			if err != nil {
				return err
			}
			return os.Symlink(link, target)
		case !entry.Type().IsRegular():
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
			return err
		}
		return os.WriteFile(target, data, 0o666)
	})
}
