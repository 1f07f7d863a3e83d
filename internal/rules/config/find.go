package config

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// FileName is the name of the options file, and wrongName a name that users may give
// it.
const (
	FileName  = ".operatorvet.yaml"
	wrongName = ".operatorvet.yml"
)

// For returns the options for the package in a directory. If the file is wrong
// they are the options without it.
func (ov *Overrides) For(dir string) (*Options, error) {
	opts := Default()
	file, data, err := find(dir)
	var fromFile []assignment
	if err == nil {
		fromFile, err = parse(file, data)
	}
	if err == nil {
		for _, a := range fromFile {
			a.apply(opts) // parse has tried it
		}
	}
	for _, a := range ov.assignments {
		a.apply(opts)
	}
	opts.Mentions = mentions(append(slices.Clip(fromFile), ov.assignments...))
	return opts, err
}

// Source returns the options file for the package in a directory. It is for
// drivers that cache results of earlier runs.
func Source(dir string) string {
	file, data, err := find(dir)
	return fmt.Sprintf("%t\n%v\n%s", file != "", err, data)
}

// Fingerprint returns a text that changes with the options files for the
// packages of the module or workspace around a directory. It is for drivers that
// cache results of earlier runs. The error says what is wrong with the
// directory's own file; the text is valid all the same.
func Fingerprint(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	_, wrong := new(Overrides).For(dir)
	root := workspace(dir)
	h := sha256.New()
	if _, above, err := find(root); err == nil {
		h.Write(above)
	}
	filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // no packages there either
		case entry.IsDir() && skipped[entry.Name()]:
			return fs.SkipDir
		case entry.Name() == FileName || entry.Name() == wrongName:
			if data, err := os.ReadFile(path); err == nil {
				fmt.Fprintf(h, "%s\n%d\n%s", strings.TrimPrefix(path, root), len(data), data)
			}
		}
		return nil
	})
	return fmt.Sprintf("%x", h.Sum(nil)), wrong
}

// skipped are directories that may be large and hold no packages of the module.
var skipped = map[string]bool{".git": true, "node_modules": true, "vendor": true}

// workspace returns the nearest directory with a go.work at or above dir, else
// with a go.mod, else dir itself.
func workspace(dir string) string {
	for _, name := range []string{"go.work", "go.mod"} {
		for d := dir; ; d = filepath.Dir(d) {
			if _, err := os.Stat(filepath.Join(d, name)); err == nil {
				return d
			}
			if d == filepath.Dir(d) {
				break
			}
		}
	}
	return dir
}

// find reads the options file in a directory or the nearest one above it. Like
// the configuration of an editor or of another linter, the file may be above the
// module, in the root of a repository with several modules. The name is empty if
// there is none. A file with the wrong name is an error, because its options would
// have no effect.
func find(dir string) (file string, data []byte, err error) {
	dir, err = filepath.Abs(dir)
	if err != nil {
		return "", nil, err
	}
	for {
		wrong := filepath.Join(dir, wrongName)
		if _, err := os.Lstat(wrong); err == nil {
			return "", nil, &Error{File: wrong, Text: "this file is not read; the options file is called " + FileName}
		}
		file = filepath.Join(dir, FileName)
		data, err = os.ReadFile(file)
		switch {
		case err == nil:
			return file, data, nil
		case !errors.Is(err, fs.ErrNotExist):
			return "", nil, &Error{File: file, Text: errors.Unwrap(err).Error()}
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", nil, nil
		}
		dir = parent
	}
}
