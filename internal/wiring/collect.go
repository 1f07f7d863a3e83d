package wiring

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"path"
	"slices"
	"strconv"

	"github.com/operatorvet/operatorvet/internal/library"
)

// A Package is the syntax of a package.
type Package struct {
	Path, Name string
	Files      []*ast.File // without test files

	// NameOf returns the name of an imported package, or "".
	NameOf func(path string) string
	// InModule reports whether an imported package belongs to the module.
	InModule func(path string) bool
}

// Collect returns the survey of a package.
func Collect(pkg *Package) *Survey {
	c := &collector{
		pkg:      pkg,
		survey:   &Survey{Path: pkg.Path, Main: pkg.Name == "main", Values: make([]Value, 1)},
		ids:      map[Value]ValueID{{}: 0},
		types:    make(map[string]*ast.TypeSpec),
		funcs:    make(map[string]bool),
		vars:     make(map[string]bool),
		stores:   make(map[Store]bool),
		calls:    make(map[string]bool),
		selected: make(map[string]bool),
		used:     make(map[Name]bool),
		methods:  make(map[string]bool),
		made:     make(map[Name]bool),
		imported: make(map[string]bool),

		starts: starts{mentioned: make(map[string]int), started: make(map[string]int)},
	}
	for _, file := range pkg.Files {
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if decl.Recv == nil {
					c.funcs[decl.Name.Name] = true
				}
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						c.types[spec.Name.Name] = spec
					case *ast.ValueSpec:
						for _, name := range spec.Names {
							c.vars[name.Name] = decl.Tok == token.VAR
						}
					}
				}
			}
		}
	}
	for _, file := range pkg.Files {
		c.file(file)
	}
	s := c.survey
	s.Imports = slices.Sorted(maps.Keys(c.imported))
	s.Selected = slices.Sorted(maps.Keys(c.selected))
	s.Operates = s.Operates || slices.ContainsFunc(s.Selected, library.IsOfOperators)
	s.Methods = slices.Sorted(maps.Keys(c.methods))
	s.Used = slices.SortedFunc(maps.Keys(c.used), compareNames)
	if s.Main {
		s.Started = c.starts.only()
	}
	s.Made = slices.SortedFunc(maps.Keys(c.made), compareNames)
	return s
}

func compareNames(a, b Name) int {
	return cmp.Or(cmp.Compare(a.Pkg, b.Pkg), cmp.Compare(a.Name, b.Name))
}

// A collector collects the survey of a package.
type collector struct {
	pkg     *Package
	survey  *Survey
	ids     map[Value]ValueID
	types   map[string]*ast.TypeSpec
	funcs   map[string]bool
	vars    map[string]bool
	imports map[string]string // of the file, from names to paths
	options bool              // the file can name the options of a manager

	stores   map[Store]bool
	calls    map[string]bool
	selected map[string]bool
	used     map[Name]bool
	methods  map[string]bool
	made     map[Name]bool
	imported map[string]bool

	starts starts
}

// id returns the number of a value.
func (c *collector) id(v Value) ValueID {
	id, ok := c.ids[v]
	if !ok {
		id = ValueID(len(c.survey.Values))
		c.ids[v] = id
		c.survey.Values = append(c.survey.Values, v)
	}
	return id
}

func (c *collector) file(file *ast.File) {
	c.imports = make(map[string]string)
	for _, spec := range file.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		if c.pkg.InModule(p) {
			c.imported[p] = true
		} else {
			c.survey.Operates = c.survey.Operates || library.IsForOperators(p)
		}
		name := c.pkg.NameOf(p)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if name == "." && c.pkg.InModule(p) {
			c.survey.Dots = append(c.survey.Dots, p)
		}
		if name == "" {
			name = path.Base(p)
		}
		c.imports[name] = p
	}
	c.options = c.namesOptions()
	if c.survey.Main {
		c.starts.in(file)
	}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			c.function(decl)
		case *ast.GenDecl:
			top := c.newScope()
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					c.typeDecl(spec)
				case *ast.ValueSpec:
					top.variables(spec)
					for _, name := range spec.Names {
						if c.vars[name.Name] {
							c.uses(name.Name, spec)
						}
					}
				}
			}
		}
	}
}

func (c *collector) newScope() *scope { return &scope{collector: c, locals: make(map[string]*local)} }

// typeDecl records a declared type.
func (c *collector) typeDecl(spec *ast.TypeSpec) {
	top := c.newScope()
	for _, param := range fieldNames(spec.TypeParams) {
		top.locals[param.Name] = &local{n: 2}
	}
	t := Type{Name: spec.Name.Name}
	switch typ := spec.Type.(type) {
	case *ast.StructType:
		for _, f := range typ.Fields.List {
			ref := top.typeRef(f.Type)
			if ref.Shape == Plain || ref.Shape == Container {
				c.made[ref.Of] = true
			}
			for _, name := range f.Names {
				t.Fields = append(t.Fields, Field{name.Name, ref, f.Tag != nil, defaultIn(f.Tag)})
			}
			if len(f.Names) == 0 {
				t.Fields = append(t.Fields, Field{Name: embeddedName(f.Type), Type: ref, Tagged: f.Tag != nil})
				t.Embeds = append(t.Embeds, ref)
			}
		}
	case *ast.InterfaceType:
		t.Kind = Interface
		for _, f := range typ.Methods.List {
			for _, name := range f.Names {
				t.Methods = append(t.Methods, name.Name)
			}
			if len(f.Names) == 0 {
				t.Embeds = append(t.Embeds, top.typeRef(f.Type))
			}
		}
	default:
		t.Kind, t.Under = Defined, top.typeRef(spec.Type)
		if spec.Assign.IsValid() {
			t.Kind = Alias
		}
	}
	c.survey.Types = append(c.survey.Types, t)
}

// embeddedName returns the name of an embedded field.
func embeddedName(typ ast.Expr) string {
	switch typ := ast.Unparen(typ).(type) {
	case *ast.Ident:
		return typ.Name
	case *ast.StarExpr:
		return embeddedName(typ.X)
	case *ast.SelectorExpr:
		return typ.Sel.Name
	case *ast.IndexExpr:
		return embeddedName(typ.X)
	case *ast.IndexListExpr:
		return embeddedName(typ.X)
	}
	return ""
}

// function records a declared function and what its body does.
func (c *collector) function(decl *ast.FuncDecl) {
	fn := Func{Name: decl.Name.Name}
	s := c.newScope()
	if decl.Recv != nil && len(decl.Recv.List) == 1 {
		fn.Name = embeddedName(decl.Recv.List[0].Type) + "." + fn.Name
	}
	s.fn = &fn
	self := Name{c.pkg.Path, fn.Name}
	for _, param := range fieldNames(decl.Type.TypeParams) {
		s.locals[param.Name] = &local{n: 2}
	}
	if decl.Recv != nil {
		for _, name := range fieldNames(decl.Recv) {
			s.bind(name, Value{Kind: Param, Of: self, Index: -1})
		}
	}
	for _, f := range decl.Type.Params.List {
		typ := f.Type
		if variadic, ok := typ.(*ast.Ellipsis); ok {
			fn.Variadic = true
			typ = variadic
		}
		ref := s.typeRef(typ)
		for _, name := range f.Names {
			s.bind(name, Value{Kind: Param, Of: self, Index: len(fn.Params)})
			fn.Params = append(fn.Params, ref)
		}
		if len(f.Names) == 0 {
			fn.Params = append(fn.Params, ref)
		}
	}
	if decl.Type.Results != nil {
		for _, f := range decl.Type.Results.List {
			for range max(1, len(f.Names)) {
				fn.Results = append(fn.Results, s.typeRef(f.Type))
			}
			for _, name := range f.Names {
				s.locals[name.Name] = &local{n: 2} // assigned to by a return
			}
		}
	}
	if decl.Body != nil {
		fn.Returns = make([][]ValueID, len(fn.Results))
		s.bindAll(decl.Body)
		s.walk(decl.Body)
	}
	c.survey.Funcs = append(c.survey.Funcs, fn)
	c.uses(fn.Name, decl)
}

func fieldNames(list *ast.FieldList) []*ast.Ident {
	if list == nil {
		return nil
	}
	var names []*ast.Ident
	for _, f := range list.List {
		names = append(names, f.Names...)
	}
	return names
}

// store records a store to what is there already.
func (c *collector) store(to, val Value) { c.put(Store{To: c.id(to), Val: c.id(val)}) }

// initial records the value that something is made with.
func (c *collector) initial(to, val Value) { c.put(Store{c.id(to), c.id(val), true}) }

func (c *collector) put(s Store) {
	if !c.stores[s] {
		c.stores[s] = true
		c.survey.Stores = append(c.survey.Stores, s)
	}
}

// call records a call.
func (c *collector) call(fn Value, args []ValueID) {
	for len(args) > 0 && args[len(args)-1] == 0 {
		args = args[:len(args)-1]
	}
	call := Call{c.id(fn), args}
	key := fmt.Sprint(call)
	if !c.calls[key] {
		c.calls[key] = true
		c.survey.Calls = append(c.survey.Calls, call)
	}
}
