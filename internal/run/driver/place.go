package driver

import (
	"go/ast"
	"go/token"
	"go/types"
	"sort"
)

// declarationAt returns the name of the top-level declaration that contains pos,
// with its receiver, if any. The name stays the same when lines move. It is ""
// outside declarations, as in imports.
func declarationAt(files []*ast.File, pos token.Pos) string {
	for _, file := range files {
		if pos < file.FileStart || file.FileEnd < pos {
			continue
		}
		// The first one that does not end before: a file may have very many.
		i := sort.Search(len(file.Decls), func(i int) bool { return file.Decls[i].End() >= pos })
		if i < len(file.Decls) {
			switch decl := file.Decls[i].(type) {
			case *ast.FuncDecl:
				if within(decl, decl.Doc, pos) {
					return funcName(decl)
				}
			case *ast.GenDecl:
				if !within(decl, decl.Doc, pos) {
					break
				}
				for _, spec := range decl.Specs {
					switch spec := spec.(type) {
					case *ast.ValueSpec:
						if within(spec, spec.Doc, pos) {
							return spec.Names[0].Name
						}
					case *ast.TypeSpec:
						if within(spec, spec.Doc, pos) {
							return spec.Name.Name
						}
					}
				}
			}
		}
	}
	return ""
}

// within reports whether pos lies in the node or in the comment above it.
func within(n ast.Node, doc *ast.CommentGroup, pos token.Pos) bool {
	start := n.Pos()
	if doc != nil {
		start = doc.Pos()
	}
	return start <= pos && pos <= n.End()
}

// funcName returns "F", "T.F" or "(*T).F".
func funcName(decl *ast.FuncDecl) string {
	if decl.Recv == nil || len(decl.Recv.List) == 0 {
		return decl.Name.Name
	}
	recv := ast.Unparen(decl.Recv.List[0].Type)
	star, isPointer := recv.(*ast.StarExpr)
	if isPointer {
		recv = ast.Unparen(star.X)
	}
	switch generic := recv.(type) {
	case *ast.IndexExpr:
		recv = generic.X
	case *ast.IndexListExpr:
		recv = generic.X
	}
	if isPointer {
		return "(*" + types.ExprString(recv) + ")." + decl.Name.Name
	}
	return types.ExprString(recv) + "." + decl.Name.Name
}
