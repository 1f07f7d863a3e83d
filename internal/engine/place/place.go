// Package place has the type of a place in the source that is the same in every
// package and on every machine. Facts have places, and messages show them.
package place

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"strings"
)

// A Place is a position in the source of any package. Unlike a token.Pos, it does
// not depend on a file set. The zero Place is unknown.
type Place struct {
	// File is the path of the package and the base name of the file,
	// "example.com/api/thing.go".
	File         string
	Line, Column int32
}

// Of returns the place of a position in the package.
func Of(fset *token.FileSet, pkg *types.Package, pos token.Pos) Place {
	if !pos.IsValid() {
		return Place{}
	}
	p := fset.Position(pos)
	return Place{pkg.Path() + "/" + filepath.Base(p.Filename), int32(p.Line), int32(p.Column)}
}

// IsZero reports whether the place is unknown.
func (p Place) IsZero() bool { return p == Place{} }

// Package returns the path of the place's package.
func (p Place) Package() string { return path.Dir(p.File) }

// String returns the place in short, "thing.go:12".
func (p Place) String() string {
	if p.IsZero() {
		return ""
	}
	return fmt.Sprintf("%s:%d", path.Base(p.File), p.Line)
}

// Full returns the place with the path of its package, "example.com/api/thing.go:12". A
// rule's message has it so; the driver shortens it to a path that the reader can open.
func (p Place) Full() string {
	if p.IsZero() {
		return ""
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// Shorten replaces the path of a module in the full places of a message by a directory,
// which ends with a slash or is empty.
func Shorten(message, module, dir string) string {
	var res strings.Builder
	for rest := message; ; {
		i := strings.Index(rest, module+"/")
		if i < 0 {
			return res.String() + rest
		}
		res.WriteString(rest[:i])
		if i == 0 && res.Len() == 0 || i > 0 && (rest[i-1] == ' ' || rest[i-1] == '(') {
			res.WriteString(dir)
		} else { // the end of another path
			res.WriteString(module + "/")
		}
		rest = rest[i+len(module)+1:]
	}
}

// ID identifies the place among those of all packages.
func (p Place) ID() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column) }

// Compare orders places by file, line and column.
func (p Place) Compare(q Place) int {
	if c := strings.Compare(p.File, q.File); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(p.Line, q.Line), cmp.Compare(p.Column, q.Column))
}
