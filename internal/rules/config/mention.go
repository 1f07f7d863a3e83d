package config

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/operatorvet/operatorvet/internal/library"
)

// A Mention is a function that an option names.
type Mention struct {
	Name string // as of library.Name

	file string // "" if it is no file's
	line int
	path string // of the key, or the flag
}

// mentions returns the functions that assignments name. Of two for one option the
// second is in force.
func mentions(all []assignment) []Mention {
	byOption := make(map[string][]Mention)
	var order []string
	for _, a := range all {
		if !strings.HasPrefix(a.option.Name, "functions.") {
			continue
		}
		if !slices.Contains(order, a.option.Name) {
			order = append(order, a.option.Name)
		}
		var of []Mention
		for i, v := range a.values {
			name, err := function(v)
			if err != nil {
				continue // an error already
			}
			m := Mention{Name: name, file: a.file, path: "-" + a.option.Name}
			if i < len(a.lines) {
				m.line, m.path = a.lines[i], fmt.Sprintf("%s[%d]", a.option.Name, i)
			}
			of = append(of, m)
		}
		byOption[a.option.Name] = of
	}
	var found []Mention
	for _, name := range order {
		found = append(found, byOption[name]...)
	}
	return found
}

// CheckFunctions returns an error if an option names a function of one of the packages
// that this does not have. Each package must have all that it exports, and own also the
// rest.
func (o *Options) CheckFunctions(own *types.Package, imported []*types.Package) error {
	for _, m := range o.Mentions {
		for _, pkg := range append([]*types.Package{own}, imported...) {
			if text := m.missing(pkg, pkg == own); text != "" {
				return &Error{m.file, m.line, m.path + ": " + text}
			}
		}
	}
	return nil
}

// missing says that a package lacks the function, or returns "".
func (m Mention) missing(pkg *types.Package, all bool) string {
	path, typ, name := m.split()
	if path != pkg.Path() {
		return ""
	}
	unknown := func(name string) bool { return all || ast.IsExported(name) }
	if typ == "" {
		if !unknown(name) || pkg.Scope().Lookup(name) != nil {
			return ""
		}
		return fmt.Sprintf("package %s has no function %s%s", path, name, nearest(name, pkg.Scope().Names()))
	}
	if !unknown(typ) {
		return ""
	}
	obj, ok := pkg.Scope().Lookup(typ).(*types.TypeName)
	if !ok {
		return fmt.Sprintf("package %s has no type %s%s", path, typ, nearest(typ, pkg.Scope().Names()))
	}
	if found, _, _ := types.LookupFieldOrMethod(obj.Type(), true, pkg, name); found != nil || !unknown(name) {
		return ""
	}
	set := types.NewMethodSet(types.NewPointer(obj.Type()))
	if types.IsInterface(obj.Type()) {
		set = types.NewMethodSet(obj.Type())
	}
	var names []string
	for sel := range set.Methods() {
		names = append(names, sel.Obj().Name())
	}
	return fmt.Sprintf("%s.%s has no method %s%s", path, typ, name, nearest(name, names))
}

// split returns the parts of the name of a function, or of a method of a type.
func (m Mention) split() (path, typ, name string) {
	cut := func(s string) (before, after string) {
		i := strings.LastIndexByte(s, '.')
		return s[:max(i, 0)], s[i+1:]
	}
	path, name = cut(m.Name)
	if inner, ok := strings.CutPrefix(path, "("); ok {
		path, typ = cut(strings.TrimSuffix(inner, ")"))
	}
	return path, typ, name
}

// SlipOf returns the kind among those that missingwatch does not report which may be a
// slip for another one: a name with a letter or two wrong, or the wrong group.
func (o *Options) SlipOf(kind library.GroupKind) (slip library.GroupKind, ok bool) {
	for _, ignored := range o.IgnoreKinds {
		if !ignored.MayBe(kind) && isSlip(strings.ToLower(ignored.Kind), strings.ToLower(kind.Kind), maxSlips) {
			return ignored, true
		}
	}
	return library.GroupKind{}, false
}

// maxSlips is how many letters of a name may be wrong.
const maxSlips = 2

// isSlip reports whether a name may stand for another one, with some letters wrong.
func isSlip(name, known string, slips int) bool {
	d := distance(name, known)
	return d <= slips && 3*d <= len(name)
}

// nearest returns the end of a message that asks for the name of which another one may
// be a slip, or "".
func nearest(name string, known []string) string {
	best := ""
	for slips := maxSlips; slips >= 0; slips-- {
		i := slices.IndexFunc(known, func(k string) bool { return isSlip(strings.ToLower(name), strings.ToLower(k), slips) })
		if i < 0 {
			break
		}
		best = known[i]
	}
	if best == "" {
		return ""
	}
	return "; do you mean " + best + "?"
}

// distance returns how many letters are to insert, delete or replace to turn a into b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
