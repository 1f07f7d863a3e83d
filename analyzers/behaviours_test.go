package analyzers_test

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/operatorvet/operatorvet/internal/testing/fixture"
)

// countBehaviours counts the behaviours in a rule's fixtures. Each expectation
// of the rule is a bad one. A good one is an exported function, or an exported
// type with methods, that reaches no expectation of any rule, neither in its own
// declarations nor in those of its package that it refers to.
func countBehaviours(t *testing.T, rule string) (bad, good int) {
	t.Helper()
	c := corpus(t)
	for _, f := range c.Fixtures {
		if f.Group != rule {
			continue
		}
		for _, pkg := range f.Packages {
			wants, err := c.Wants([]*packages.Package{pkg})
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range wants {
				if w.Rule == rule {
					bad++
				}
			}
			good += countGood(c, pkg, wants)
		}
	}
	return bad, good
}

// A unit is a function, or a type with its methods, at package level.
type unit struct {
	code, bad bool // whether it has code, and an expectation
	uses      map[types.Object]bool
}

func countGood(c *fixture.Corpus, pkg *packages.Package, wants []fixture.Want) int {
	units := make(map[types.Object]*unit)
	for _, file := range pkg.Syntax {
		for _, decl := range file.Decls {
			add(c, pkg, wants, units, decl)
		}
	}
	good := 0
	for obj, u := range units {
		if obj.Exported() && u.code && !reachesBad(units, obj, make(map[types.Object]bool)) {
			good++
		}
	}
	return good
}

// add adds a declaration to its unit.
func add(c *fixture.Corpus, pkg *packages.Package, wants []fixture.Want, units map[types.Object]*unit, decl ast.Decl) {
	first, last := pkg.Fset.Position(decl.Pos()), pkg.Fset.Position(decl.End())
	file := c.Rel(first.Filename)
	bad := slices.ContainsFunc(wants, func(w fixture.Want) bool {
		return w.File == file && first.Line <= w.Line && w.Line <= last.Line
	})
	uses := make(map[types.Object]bool)
	var owners []types.Object
	ast.Inspect(decl, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		if obj := ownerOf(pkg, pkg.TypesInfo.Uses[id]); obj != nil {
			uses[obj] = true
		}
		if obj := ownerOf(pkg, pkg.TypesInfo.Defs[id]); obj != nil {
			owners = append(owners, obj)
		}
		return true
	})
	_, code := decl.(*ast.FuncDecl)
	for _, owner := range owners {
		u := units[owner]
		if u == nil {
			u = &unit{uses: make(map[types.Object]bool)}
			units[owner] = u
		}
		u.code, u.bad = u.code || code, u.bad || bad
		maps.Copy(u.uses, uses)
	}
}

// ownerOf returns the package-level object that obj is, or whose method it is.
// It returns nil for local objects and for those of other packages.
func ownerOf(pkg *packages.Package, obj types.Object) types.Object {
	if fn, ok := obj.(*types.Func); ok && fn.Signature().Recv() != nil {
		recv := fn.Signature().Recv().Type()
		if ptr, ok := recv.(*types.Pointer); ok {
			recv = ptr.Elem()
		}
		if named, ok := recv.(*types.Named); ok {
			obj = named.Obj()
		}
	}
	if obj == nil || obj.Pkg() != pkg.Types || obj.Parent() != pkg.Types.Scope() {
		return nil
	}
	return obj
}

func reachesBad(units map[types.Object]*unit, obj types.Object, seen map[types.Object]bool) bool {
	u := units[obj]
	if u == nil || seen[obj] {
		return false
	}
	seen[obj] = true
	if u.bad {
		return true
	}
	for used := range u.uses {
		if reachesBad(units, used, seen) {
			return true
		}
	}
	return false
}
