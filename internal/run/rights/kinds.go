package rights

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/operatorvet/operatorvet/internal/library"
)

// An api is what the source of a package of API types says of its kinds.
type api struct {
	group string // "?" if it is not known
	// plurals and cluster have what the markers of the kinds say, by the name of the type.
	plurals map[string]string
	cluster map[string]bool
	kinds   []string // those with markers of a kind
}

// noGroup is the group of a package of which it is not known.
const noGroup = "?"

// apis has what is known of API packages, by directory. Their sources are parsed when
// somebody asks: few packages of a module have kinds, and types do not have their markers.
type apis struct {
	mu    sync.Mutex
	known map[string]*api
}

// of returns what is known of the package that declares an object.
func (a *apis) of(fset *token.FileSet, obj types.Object) *api {
	dir := filepath.Dir(fset.Position(obj.Pos()).Filename)
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.known[dir] == nil {
		a.known[dir] = parseAPI(dir, obj.Pkg())
	}
	return a.known[dir]
}

// parseAPI reads the sources of a package of API types.
func parseAPI(dir string, pkg *types.Package) *api {
	found := &api{group: noGroup, plurals: make(map[string]string), cluster: make(map[string]bool)}
	files, _ := os.ReadDir(dir)
	for _, f := range files {
		if name := f.Name(); strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			file, _ := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.ParseComments|parser.SkipObjectResolution)
			if file != nil {
				found.add(file, pkg)
			}
		}
	}
	if found.group == noGroup {
		for _, name := range []string{"GroupName", "Group"} {
			if group, ok := constantOf(pkg, name); ok {
				found.group = group
			}
		}
	}
	return found
}

// constantOf returns the value of a constant string of a package.
func constantOf(pkg *types.Package, name string) (string, bool) {
	c, ok := pkg.Scope().Lookup(name).(*types.Const)
	if !ok {
		return "", false
	}
	s, err := strconv.Unquote(c.Val().ExactString())
	return s, err == nil
}

func (a *api) add(file *ast.File, pkg *types.Package) {
	for _, group := range file.Comments {
		for _, c := range group.List {
			if name, ok := strings.CutPrefix(strings.TrimSpace(strings.TrimPrefix(c.Text, "//")), "+groupName="); ok {
				a.group = strings.TrimSpace(name)
			}
		}
	}
	for _, decl := range file.Decls {
		decl, ok := decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				doc := spec.Doc
				if doc == nil {
					doc = decl.Doc
				}
				a.addKind(spec.Name.Name, doc)
				// Markers may stand apart from the comment of the type.
				for _, group := range file.Comments {
					if group != doc && group.End() < decl.Pos() && !between(file, group.End(), decl.Pos()) {
						a.addKind(spec.Name.Name, group)
					}
				}
			case *ast.ValueSpec:
				for _, val := range spec.Values {
					if group, ok := groupIn(val, pkg); ok && a.group == noGroup {
						a.group = group
					}
				}
			}
		}
	}
}

// between reports whether a declaration begins between two positions.
func between(file *ast.File, from, to token.Pos) bool {
	for _, decl := range file.Decls {
		if from <= decl.Pos() && decl.Pos() < to || decl.Pos() < from && from < decl.End() {
			return true
		}
	}
	return false
}

// addKind adds what the markers of a type say:
//
//	// +kubebuilder:resource:path=proxies,scope=Cluster
func (a *api) addKind(name string, doc *ast.CommentGroup) {
	if doc == nil {
		return
	}
	for _, c := range doc.List {
		text := strings.TrimSpace(strings.TrimPrefix(c.Text, "//"))
		if text == "+kubebuilder:object:root=true" || text == "+genclient" {
			a.kinds = append(a.kinds, name)
		}
		if text == "+genclient:nonNamespaced" {
			a.cluster[name] = true
		}
		args, ok := strings.CutPrefix(text, "+kubebuilder:resource:")
		if !ok {
			continue
		}
		a.kinds = append(a.kinds, name)
		values := arguments(args)
		if path := values["path"]; len(path) > 0 {
			a.plurals[name] = path[0]
		}
		if scope := values["scope"]; len(scope) > 0 && scope[0] == "Cluster" {
			a.cluster[name] = true
		}
	}
}

// groupIn returns the group of a literal schema.GroupVersion{Group: "…"}, which may name a
// constant of the package.
func groupIn(val ast.Expr, pkg *types.Package) (string, bool) {
	lit, ok := val.(*ast.CompositeLit)
	if !ok {
		return "", false
	}
	if sel, ok := lit.Type.(*ast.SelectorExpr); !ok || sel.Sel.Name != "GroupVersion" {
		return "", false
	}
	for i, elt := range lit.Elts {
		group := elt
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			if key, ok := kv.Key.(*ast.Ident); !ok || key.Name != "Group" {
				continue
			}
			group = kv.Value
		} else if i > 0 {
			continue
		}
		switch group := group.(type) {
		case *ast.BasicLit:
			s, err := strconv.Unquote(group.Value)
			return s, err == nil
		case *ast.Ident:
			return constantOf(pkg, group.Name)
		case *ast.SelectorExpr: // of another package
			for _, imp := range pkg.Imports() {
				if x, ok := group.X.(*ast.Ident); ok && (imp.Name() == x.Name || strings.HasSuffix(imp.Path(), "/"+x.Name)) {
					return constantOf(imp, group.Sel.Name)
				}
			}
		}
	}
	return "", false
}

// A resource is how roles name a kind.
type resource struct {
	group, name string
	cluster     bool // its objects are in no namespace
}

// resourceOfType returns the resource of a Go type, and whether its group is known. A type
// that is a list stands for its items.
func (c *collection) resourceOfType(typeName string) (resource, bool) {
	kind, ok := library.KindOfType(typeName)
	if !ok {
		return resource{}, false
	}
	obj := c.lookup(typeName)
	if items := itemsOf(obj); items != "" && items != typeName {
		return c.resourceOfType(items)
	}
	if obj == nil {
		kind.Kind = strings.TrimSuffix(kind.Kind, "List")
	}
	res := resource{group: kind.Group}
	if !strings.Contains(kind.Group, "/") && kind.Group != noGroup {
		res.name = library.ResourceOf(kind)
		res.cluster = library.IsOfCluster(res.group, res.name)
		if obj == nil || library.IsAPI(obj.Pkg().Path()) {
			return res, true
		}
	}
	if obj == nil {
		return resource{name: library.ResourceOf(kind)}, false
	}
	of := c.apis.of(c.pass.Fset, obj)
	if res.name == "" {
		res.group = of.group
		res.name = library.ResourceOf(library.GroupKind{Group: of.group, Kind: kind.Kind})
	}
	if name := of.plurals[kind.Kind]; name != "" {
		res.name = name
	}
	res.cluster = res.cluster || of.cluster[kind.Kind]
	return res, res.group != noGroup
}

// itemsOf returns the TypeName of the items of a type that is a list of objects, or "".
func itemsOf(obj types.Object) string {
	if obj == nil {
		return ""
	}
	s, ok := obj.Type().Underlying().(*types.Struct)
	if !ok {
		return ""
	}
	isList, items := false, ""
	for f := range s.Fields() {
		isList = isList || f.Name() == "ListMeta"
		if list, ok := f.Type().Underlying().(*types.Slice); ok && f.Name() == "Items" {
			items = library.TypeName(list.Elem())
		}
	}
	if !isList {
		return ""
	}
	return items
}

// lookup returns the object of a type that the package, or one that it imports, declares.
func (c *collection) lookup(typeName string) types.Object {
	path, name := library.SplitTypeName(typeName)
	if pkg := c.packages[path]; pkg != nil {
		return pkg.Scope().Lookup(name)
	}
	return nil
}
