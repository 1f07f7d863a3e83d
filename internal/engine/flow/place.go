package flow

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"strings"
)

// A Place is where something is written, in whatever package: unlike a
// token.Pos, it means the same everywhere. The zero Place is not known.
type Place struct {
	// File is the path of the package and the base name of the file,
	// "example.com/api/thing.go".
	File         string
	Line, Column int32
}

// PlaceOf returns the place of a position in the package.
func PlaceOf(fset *token.FileSet, pkg *types.Package, pos token.Pos) Place {
	if !pos.IsValid() {
		return Place{}
	}
	p := fset.Position(pos)
	return Place{pkg.Path() + "/" + filepath.Base(p.Filename), int32(p.Line), int32(p.Column)}
}

// Package returns the path of the place's package.
func (p Place) Package() string { return path.Dir(p.File) }

// String returns the place as messages show it, "thing.go:12".
func (p Place) String() string {
	if p == (Place{}) {
		return ""
	}
	return fmt.Sprintf("%s:%d", path.Base(p.File), p.Line)
}

// Compare orders places by file, line and column.
func (p Place) Compare(q Place) int {
	if c := strings.Compare(p.File, q.File); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(p.Line, q.Line), cmp.Compare(p.Column, q.Column))
}

// at returns the place of a position in the package under analysis.
func (a *analysisState) at(pos token.Pos) Place {
	p := PlaceOf(a.pass.Fset, a.pass.Pkg, pos)
	// One string for each file: labels are compared often.
	if file, ok := a.files[p.File]; ok {
		p.File = file
	} else {
		a.files[p.File] = p.File
	}
	return p
}
