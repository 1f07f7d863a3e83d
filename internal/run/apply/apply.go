// Package apply makes the changes that findings suggest.
package apply

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/operatorvet/operatorvet/internal/run/driver"
	"github.com/operatorvet/operatorvet/internal/run/replace"
)

// A Plan is the effect of the fixes of some findings on files.
type Plan struct {
	Files []File           // those that change, sorted by name
	Fixed []driver.Finding // whose fixes are part of the plan
	Left  []driver.Finding // whose fixes overlap with others: they have to wait for the next run

	Without []driver.Finding // that have no fix
}

// A File is a file before and after.
type File struct {
	Name     string
	Old, New []byte
}

// New plans the application of all fixes. They are independent changes of the
// same files, and are merged like the changes of two people: equal edits become
// one, and of two fixes that overlap the second is left out as a whole.
func New(findings []driver.Finding) (*Plan, error) {
	p := new(Plan)
	merged := make(map[string]edits)
	for _, f := range findings {
		if len(f.Fixes) == 0 {
			p.Without = append(p.Without, f)
			continue
		}
		own := f.Fixes[0].Edits
		if slices.ContainsFunc(own, func(e driver.Edit) bool { return merged[e.Pos.Filename].conflict(e) }) {
			p.Left = append(p.Left, f)
			continue
		}
		p.Fixed = append(p.Fixed, f)
		for _, e := range own {
			merged[e.Pos.Filename] = merged[e.Pos.Filename].with(e)
		}
	}
	for name, edits := range merged {
		file, err := edit(name, edits)
		if err != nil {
			return nil, err
		}
		p.Files = append(p.Files, file)
	}
	slices.SortFunc(p.Files, func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
	return p, nil
}

// edits are edits of a file that do not overlap, in their order in the file.
// Insertions at one place are in the order in which they were added.
type edits []driver.Edit

// conflict reports whether the edit overlaps with one of the others. Equal edits do
// not, nor do insertions at the same place.
func (all edits) conflict(e driver.Edit) bool {
	i := sort.Search(len(all), func(i int) bool { return e.Pos.Offset < all[i].End.Offset })
	for _, o := range all[i:] {
		if o.Pos.Offset >= e.End.Offset {
			break
		}
		if e != o {
			return true
		}
	}
	return false
}

// with returns the edits with another one, unless it is there already.
func (all edits) with(e driver.Edit) edits {
	i := sort.Search(len(all), func(i int) bool { return compare(all[i], e) > 0 })
	for _, o := range slices.Backward(all[:i]) {
		if o == e {
			return all
		}
		if compare(o, e) < 0 {
			break
		}
	}
	return slices.Insert(all, i, e)
}

func compare(a, b driver.Edit) int {
	return cmp.Or(cmp.Compare(a.Pos.Offset, b.Pos.Offset), cmp.Compare(a.End.Offset, b.End.Offset))
}

// edit applies edits that do not overlap to a file. The result is formatted if the
// file was; otherwise no other lines change.
func edit(name string, edits edits) (File, error) {
	old, err := os.ReadFile(name)
	if err != nil {
		return File{}, err
	}
	var out bytes.Buffer
	at := 0
	for _, e := range edits {
		if e.FileSize != len(old) {
			return File{}, changed(name)
		}
		out.Write(old[at:e.Pos.Offset])
		out.WriteString(e.New)
		at = e.End.Offset
	}
	out.Write(old[at:])
	text, err := tidy(old, out.Bytes())
	if err != nil {
		return File{}, fmt.Errorf("internal error: fixes of %s do not make Go code: %w", name, err)
	}
	return File{Name: name, Old: old, New: text}, nil
}

func changed(name string) error {
	return fmt.Errorf("%s was changed while it was analysed; nothing is written to it", name)
}

// Write writes the files. Each is replaced as a whole or not at all. The error
// names those that cannot be written.
func (p *Plan) Write() (written int, err error) {
	var errs []error
	for _, f := range p.Files {
		if err := f.write(); err != nil {
			errs = append(errs, err)
			continue
		}
		written++
	}
	return written, errors.Join(errs...)
}

func (f File) write() error {
	name, err := filepath.EvalSymlinks(f.Name)
	if err != nil {
		return err
	}
	// Replacing a file needs no permission to write to it; ask for it, as an
	// editor would.
	current, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer current.Close()
	info, err := current.Stat()
	if err != nil {
		return err
	}
	if text, err := io.ReadAll(current); err != nil {
		return err
	} else if !bytes.Equal(text, f.Old) {
		return changed(f.Name)
	}
	if err := replace.File(name, f.New, info.Mode().Perm()); err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	return nil
}

// Diff writes the changes as a patch for patch -p1 or git apply in dir. The head of each
// hunk names the findings that it is about, where these programs read nothing.
func (p *Plan) Diff(w io.Writer, dir string) error {
	for _, f := range p.Files {
		patch := diff.Diff("a/"+relative(dir, f.Name), f.Old, "b/"+relative(dir, f.Name), f.New)
		patch = hunk.ReplaceAllFunc(patch, func(head []byte) []byte {
			m := hunk.FindSubmatch(head)
			from, _ := strconv.Atoi(string(m[1]))
			count, _ := strconv.Atoi(string(m[2]))
			return slices.Concat(head, []byte(p.about(f.Name, from, from+count, dir)))
		})
		if _, err := w.Write(patch); err != nil {
			return err
		}
	}
	return nil
}

// hunk matches the head of a hunk, with the lines before the change. Other lines of a
// patch begin with another character.
var hunk = regexp.MustCompile(`(?m)^@@ -(\d+),(\d+) \+\d+,\d+ @@$`)

// about returns the findings whose fixes change lines of a file, for the head of a
// hunk.
func (p *Plan) about(file string, from, to int, dir string) string {
	text := ""
	for _, f := range p.Fixed {
		if slices.ContainsFunc(f.Fixes[0].Edits, func(e driver.Edit) bool {
			return e.Pos.Filename == file && from <= e.End.Line && e.Pos.Line < to
		}) {
			if text != "" {
				text += ";"
			}
			text += fmt.Sprintf(" %s: %s:%d:%d: %s", f.Rule, relative(dir, f.Pos.Filename), f.Pos.Line, f.Pos.Column, f.Message)
		}
	}
	return text
}

// relative returns the path of a file from dir, with slashes.
func relative(dir, name string) string {
	if rel, err := filepath.Rel(dir, name); err == nil {
		name = rel
	}
	return filepath.ToSlash(name)
}
