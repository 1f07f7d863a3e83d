package edit

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/operatorvet/operatorvet/internal/library"
)

// A spec is an import to add.
type spec struct{ name, path string } // name is empty where it goes without saying

func (s spec) String() string {
	if s.name == "" {
		return strconv.Quote(s.path)
	}
	return s.name + " " + strconv.Quote(s.path)
}

// Name returns the expression for a member of a package at pos, such as
// "time.After". If the file does not import the package, the fix does. The
// package must have that member.
func (f *Fix) Name(pos token.Pos, pkgPath, member string) string {
	if f.src == nil {
		return ""
	}
	info, pkg := f.editor.pass.TypesInfo, f.editor.pass.Pkg
	if pkgPath == pkg.Path() {
		if _, obj := f.Scope(pos).LookupParent(member, pos); obj == nil || obj.Parent() != pkg.Scope() {
			f.GiveUp("the name " + member + " is taken")
		}
		return member
	}
	for _, imp := range f.src.file.Imports {
		name := info.PkgNameOf(imp)
		if name == nil || name.Imported().Path() != pkgPath {
			continue
		}
		if name.Name() == "." {
			if scope, _ := f.Scope(pos).LookupParent(member, pos); scope == info.Scopes[f.src.file] {
				return member
			}
		} else if _, obj := f.Scope(pos).LookupParent(name.Name(), pos); obj == name {
			f.added[name.Name()] = true
			return name.Name() + "." + member
		}
	}
	return f.newImport(pos, pkgPath) + "." + member
}

// newImport adds an import to the fix and returns the name to use at pos.
func (f *Fix) newImport(pos token.Pos, pkgPath string) string {
	name, declared := f.importName(pkgPath)
	if _, obj := f.Scope(pos).LookupParent(name, pos); obj != nil || f.declares(name) {
		f.GiveUp("the name " + name + " is taken")
		return ""
	}
	s := spec{path: pkgPath}
	if name != declared {
		s.name = name
	}
	if !slices.Contains(f.imports, s) {
		f.imports = append(f.imports, s)
	}
	return name
}

// declares reports whether the package declares the name, or the file imports a
// package under it.
func (f *Fix) declares(name string) bool {
	pass := f.editor.pass
	return pass.Pkg.Scope().Lookup(name) != nil || pass.TypesInfo.Scopes[f.src.file].Lookup(name) != nil
}

// version matches the last element of the path of an API package.
var version = regexp.MustCompile(`^v[0-9]+((alpha|beta)[0-9]+)?$`)

// importName returns the name under which to import a package, and the name that
// the package declares. It prefers the name in the package's other files to the
// usual one, such as corev1 for k8s.io/api/core/v1.
func (f *Fix) importName(pkgPath string) (name, declared string) {
	pass := f.editor.pass
	declared = path.Base(pkgPath)
	if imp := findImport(pass.Pkg, pkgPath, make(map[*types.Package]bool)); imp != nil {
		declared = imp.Name()
	}
	for _, file := range pass.Files {
		for _, imp := range file.Imports {
			if obj := pass.TypesInfo.PkgNameOf(imp); obj != nil && obj.Imported().Path() == pkgPath && obj.Name() != "." && obj.Name() != "_" {
				return obj.Name(), declared
			}
		}
	}
	if version.MatchString(declared) {
		group := path.Base(path.Dir(pkgPath))
		group, _, _ = strings.Cut(group, ".")
		return strings.ReplaceAll(group, "-", "") + declared, declared
	}
	return declared, declared
}

// findImport returns the package with that path among those that pkg imports,
// directly or not.
func findImport(pkg *types.Package, pkgPath string, seen map[*types.Package]bool) *types.Package {
	for _, imp := range pkg.Imports() {
		if imp.Path() == pkgPath {
			return imp
		}
		if seen[imp] {
			continue
		}
		seen[imp] = true
		if found := findImport(imp, pkgPath, seen); found != nil {
			return found
		}
	}
	return nil
}

// addImports adds the edits that add the imports.
func (f *Fix) addImports() {
	if f.src == nil || len(f.imports) == 0 {
		return
	}
	slices.SortFunc(f.imports, func(a, b spec) int { return strings.Compare(a.path, b.path) })
	var blocks, singles []*ast.GenDecl
	for _, decl := range f.src.file.Decls {
		if decl, ok := decl.(*ast.GenDecl); ok && decl.Tok == token.IMPORT {
			switch {
			case !decl.Lparen.IsValid():
				singles = append(singles, decl)
			case len(decl.Specs) > 0 && f.src.lineOf(decl.Lparen) < f.src.lineOf(decl.Specs[0].Pos()):
				blocks = append(blocks, decl)
			}
		}
	}
	switch {
	case len(blocks) > 0:
		f.addToBlock(blocks[0])
	case len(singles) == 1 && f.commentFree(singles[0]):
		// import "a"  →  import ( … ). This replaces, so that fixes which add
		// different imports are in conflict.
		old := singles[0].Specs[0].(*ast.ImportSpec)
		groups := [2][]spec{}
		for _, s := range append(f.imports, specOf(old)) {
			groups[group(s.path)] = append(groups[group(s.path)], s)
		}
		f.Replace(old.Pos(), old.End(), block(groups[:]))
	case len(singles) > 0:
		for _, s := range f.imports {
			f.InsertLineAfter(singles[len(singles)-1].End(), "import "+s.String())
		}
	case len(f.imports) == 1:
		f.InsertLineAfter(f.src.file.Name.End(), "\nimport "+f.imports[0].String())
	default:
		groups := [2][]spec{}
		for _, s := range f.imports {
			groups[group(s.path)] = append(groups[group(s.path)], s)
		}
		f.InsertLineAfter(f.src.file.Name.End(), "\nimport "+block(groups[:]))
	}
}

// group returns 0 for packages of the standard library, 1 for others.
func group(pkgPath string) int {
	if library.IsStandard(pkgPath) {
		return 0
	}
	return 1
}

// block returns the imports in parentheses, with a blank line between groups.
func block(groups [][]spec) string {
	var lines []string
	for _, g := range groups {
		if len(lines) > 0 && len(g) > 0 {
			lines = append(lines, "")
		}
		slices.SortFunc(g, func(a, b spec) int { return strings.Compare(a.path, b.path) })
		for _, s := range g {
			lines = append(lines, "\t"+s.String())
		}
	}
	return "(\n" + strings.Join(lines, "\n") + "\n)"
}

func specOf(imp *ast.ImportSpec) spec {
	s := spec{path: importPath(imp)}
	if imp.Name != nil {
		s.name = imp.Name.Name
	}
	return s
}

func importPath(imp *ast.ImportSpec) string {
	p, _ := strconv.Unquote(imp.Path.Value) // the file has been type-checked
	return p
}

// commentFree reports whether no comment belongs to a declaration of one import.
func (f *Fix) commentFree(decl *ast.GenDecl) bool {
	imp := decl.Specs[0].(*ast.ImportSpec)
	return decl.Doc == nil && imp.Doc == nil && imp.Comment == nil
}

func (s *source) lineOf(pos token.Pos) int { return s.tok.Line(pos) }

// firstLine returns the line on which an import begins, its comment included.
func (s *source) firstLine(imp *ast.ImportSpec) int {
	if imp.Doc != nil {
		return s.lineOf(imp.Doc.Pos())
	}
	return s.lineOf(imp.Pos())
}

// addToBlock inserts each import into the group where it belongs, in order. All
// insertions are whole lines.
func (f *Fix) addToBlock(decl *ast.GenDecl) {
	groups := f.src.groups(decl)
	texts := make(map[int]string) // by the line that they precede
	var fresh [2]string           // groups to add
	for _, s := range f.imports {
		line := "\t" + s.String() + "\n"
		g := groupFor(groups, s)
		if g == nil {
			fresh[group(s.path)] += line
			continue
		}
		before := f.src.lineOf(g[len(g)-1].End()) + 1
		for _, imp := range g {
			if importPath(imp) > s.path {
				before = f.src.firstLine(imp)
				break
			}
		}
		texts[before] += line
	}
	if fresh[0] != "" {
		first := f.src.firstLine(groups[0][0])
		texts[first] = fresh[0] + "\n" + texts[first]
	}
	if fresh[1] != "" {
		texts[f.src.lineOf(decl.Rparen)] += "\n" + fresh[1]
	}
	for line, text := range texts {
		f.Insert(f.src.tok.LineStart(line), text)
	}
}

func isStd(imp *ast.ImportSpec) bool     { return group(importPath(imp)) == 0 }
func isForeign(imp *ast.ImportSpec) bool { return group(importPath(imp)) != 0 }

// groups returns the imports of a declaration, divided by blank lines.
func (s *source) groups(decl *ast.GenDecl) [][]*ast.ImportSpec {
	var groups [][]*ast.ImportSpec
	last := 0
	for _, sp := range decl.Specs {
		imp := sp.(*ast.ImportSpec)
		if last == 0 || s.firstLine(imp) > last+1 {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], imp)
		last = s.lineOf(imp.End())
	}
	return groups
}

// groupFor returns the group for an import: the first one with the standard
// library, or the one with the most similar path. It returns nil if there is
// none.
func groupFor(groups [][]*ast.ImportSpec, s spec) []*ast.ImportSpec {
	if group(s.path) == 0 {
		if i := slices.IndexFunc(groups, func(g []*ast.ImportSpec) bool { return slices.ContainsFunc(g, isStd) }); i >= 0 {
			return groups[i]
		}
		return nil
	}
	var best []*ast.ImportSpec
	most := -1
	for _, g := range groups {
		for _, imp := range g {
			if !isForeign(imp) {
				continue
			}
			if n := common(importPath(imp), s.path); n > most {
				best, most = g, n
			}
		}
	}
	return best
}

// common returns the number of leading elements that two paths share.
func common(a, b string) int {
	n := 0
	as, bs := strings.Split(a, "/"), strings.Split(b, "/")
	for n < min(len(as), len(bs)) && as[n] == bs[n] {
		n++
	}
	return n
}

// removeImport adds the edits that remove an import, with the lines that only
// served it.
func (f *Fix) removeImport(name *types.PkgName) {
	for _, decl := range f.src.file.Decls {
		decl, ok := decl.(*ast.GenDecl)
		if !ok || decl.Tok != token.IMPORT {
			continue
		}
		for _, sp := range decl.Specs {
			imp := sp.(*ast.ImportSpec)
			if f.editor.pass.TypesInfo.PkgNameOf(imp) != name {
				continue
			}
			if imp.Doc != nil || imp.Comment != nil || len(decl.Specs) == 1 && decl.Doc != nil {
				f.GiveUp("the import that it makes useless has a comment, or shares its line")
				return
			}
			if len(decl.Specs) == 1 {
				f.removeLines(decl)
			} else {
				f.removeLines(imp)
			}
			return
		}
	}
}

// removeLines removes the lines of a node. It also removes a blank line after
// them if a blank line or nothing comes before.
func (f *Fix) removeLines(n ast.Node) {
	tok := f.src.tok
	first, last := tok.Line(n.Pos()), tok.Line(n.End())
	if !f.Alone(n) || last >= tok.LineCount() {
		f.GiveUp("the import that it makes useless has a comment, or shares its line")
		return
	}
	blank := func(line int) bool { return strings.TrimSpace(f.src.line(tok.LineStart(line))) == "" }
	opens := func(line int) bool { return strings.HasSuffix(strings.TrimSpace(f.src.line(tok.LineStart(line))), "(") }
	closes := func(line int) bool { return strings.TrimSpace(f.src.line(tok.LineStart(line))) == ")" }
	switch {
	case last+1 < tok.LineCount() && blank(last+1) && (blank(first-1) || opens(first-1)):
		last++
	case closes(last+1) && blank(first-1):
		first--
	}
	f.Replace(tok.LineStart(first), tok.LineStart(last+1), "")
}
