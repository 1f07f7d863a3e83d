package directive

import (
	"go/ast"
	"go/token"
	"slices"
)

// span is a range of source without the holes in it.
type span struct {
	from, to token.Pos
	holes    []span
}

func (s span) contains(pos token.Pos) bool {
	return s.from <= pos && pos < s.to &&
		!slices.ContainsFunc(s.holes, func(hole span) bool { return hole.contains(pos) })
}

// linesOfCode returns the lines on which something other than a comment begins
// or ends.
func linesOfCode(tfile *token.File, file *ast.File) map[int]bool {
	lines := make(map[int]bool)
	for n := range ast.Preorder(file) {
		switch n.(type) {
		case *ast.File, *ast.CommentGroup, *ast.Comment:
			continue
		}
		if n.Pos().IsValid() && n.End() > n.Pos() {
			lines[lineOf(tfile, n.Pos())] = true
			lines[lineOf(tfile, n.End()-1)] = true
		}
	}
	lines[lineOf(tfile, file.Package)] = true
	return lines
}

// extend makes each directive cover the whole of a statement that begins on its
// line.
func extend(tfile *token.File, file *ast.File, directives []*Directive) {
	byLine := make(map[int][]*Directive)
	for _, d := range directives {
		byLine[d.line] = append(byLine[d.line], d)
	}
	for n := range ast.Preorder(file) {
		switch n.(type) {
		case *ast.AssignStmt, *ast.DeferStmt, *ast.ExprStmt, *ast.GoStmt, *ast.ReturnStmt, *ast.SendStmt, *ast.ValueSpec:
			if on := byLine[lineOf(tfile, n.Pos())]; on != nil {
				s := span{from: n.Pos(), to: n.End(), holes: braces(n)}
				for _, d := range on {
					d.also = append(d.also, s)
				}
			}
		}
	}
}

// braces returns the ranges between the braces of the outermost literals in n.
func braces(n ast.Node) []span {
	var inner []span
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			inner = append(inner, span{from: n.Body.Lbrace + 1, to: n.Body.Rbrace})
			return false
		case *ast.CompositeLit:
			inner = append(inner, span{from: n.Lbrace + 1, to: n.Rbrace})
			return false
		}
		return true
	})
	return inner
}
