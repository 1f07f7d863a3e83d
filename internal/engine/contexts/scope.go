package contexts

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
)

// Scope returns the expression for the context that a function has at hand, empty if
// it has none. The context is a parameter of the function or of an enclosing one, the
// context of an HTTP request, or a field of the receiver or of a parameter.
func (p *Package) Scope(fn *ssa.Function) string { return p.scopes[fn] }

// findScopes finds the scopes of all functions. An enclosing function comes before
// the closures in it.
func (p *Package) findScopes() {
	p.scopes = make(map[*ssa.Function]string)
	for _, fn := range p.Funcs {
		p.scopes[fn] = p.findScope(fn)
	}
}

func (p *Package) findScope(fn *ssa.Function) string {
	for _, param := range fn.Params {
		if IsContext(param.Type()) && p.Signal(param) == Scope {
			return nameOr(param, "its context")
		}
	}
	for _, param := range fn.Params {
		if library.TypeOf(param.Type()).Is == library.HTTPRequest {
			return nameOr(param, "the request") + ".Context()"
		}
	}
	for _, param := range fn.Params {
		if field := p.contextField(param.Type(), 0); field != nil {
			return nameOr(param, "the receiver") + "." + field.Name()
		}
	}
	if parent := fn.Parent(); parent != nil {
		return p.Scope(parent)
	}
	return ""
}

// nameOr returns the name of a parameter, the other text if it has none. SSA makes up
// names for those.
func nameOr(param *ssa.Parameter, other string) string {
	if v, _ := param.Object().(*types.Var); v != nil && v.Name() != "" && v.Name() != "_" {
		return v.Name()
	}
	return other
}

// maxEmbedding bounds the depth of embedded structs that are searched.
const maxEmbedding = 3

// contextField returns the field that holds a context in scope, nil if there is none.
// It searches the struct, or the struct pointed to, and the structs embedded there. In a
// struct of somebody else's library, like a logger's entry, nobody may ever set it.
func (p *Package) contextField(t types.Type, depth int) *types.Var {
	named := library.NamedOf(t)
	if named == nil || isCommandLine(named.Obj().Pkg()) || !library.SameProject(p.Types, named.Obj().Pkg()) {
		return nil
	}
	s, ok := named.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for f := range s.Fields() {
		f = f.Origin()
		if IsContext(f.Type()) && (f.Exported() || f.Pkg() == p.Types) && p.fieldSignal(f, make(map[ssa.Value]bool)) == Scope {
			return f
		}
		if f.Embedded() && depth < maxEmbedding {
			if inner := p.contextField(f.Type(), depth+1); inner != nil {
				return inner
			}
		}
	}
	return nil
}

// isCommandLine reports whether the package is a library for command-line tools.
func isCommandLine(pkg *types.Package) bool {
	return library.TraitsOfPackage(pkg).Has(library.CommandLine)
}

// commandLine reports whether the package is a command, or defines one. Waits there
// belong to start-up code, or to a person at a terminal.
func (p *Package) commandLine() bool {
	if p.Types.Name() == "main" || belowCommand(p.folder()) {
		return true
	}
	for _, imp := range p.Types.Imports() {
		if isCommandLine(imp) {
			return true
		}
	}
	return false
}

// folder returns the folder of the package in its module, after a slash, as far as the
// driver knows modules. What the module itself is called says nothing about its
// packages: an operator may be example.com/test/operator.
func (p *Package) folder() string {
	path := "/" + p.Types.Path()
	if mod := p.pass.Module; mod != nil && mod.Path != "" {
		path = strings.TrimPrefix(path, "/"+mod.Path)
	}
	return path
}

// belowCommand reports whether the package in this folder lies below a folder cmd, and
// so belongs to a command. A later path element that names an operator or a controller
// excludes it: some operators keep their controllers there.
func belowCommand(folder string) bool {
	_, below, ok := strings.Cut(folder, "/cmd/")
	for elem := range strings.SplitSeq(below, "/") {
		if elem == "manager" || strings.Contains(elem, "operator") || strings.Contains(elem, "controller") {
			return false
		}
	}
	return ok
}

// ForTests reports whether the package serves tests only: by its folder, or because it
// imports a library for tests. Of the standard library it also must offer something with
// such a type. A function that other packages cannot call may have stayed in the wrong
// file, and so have the helpers of tests in a package that has a reconciler in another one.
func (p *Package) ForTests() bool {
	for elem := range strings.SplitSeq(p.folder(), "/") {
		switch elem {
		case "e2e", "test", "tests":
			return true
		}
	}
	for _, imp := range p.Types.Imports() {
		if !library.TraitsOfPackage(imp).Has(library.ForTests) || p.importedByTestFileOnly(imp.Path()) {
			continue
		}
		if (!library.IsStandard(imp.Path()) || exports(p.Types, imp)) && !p.reconcilesBeside(imp.Path()) {
			return true
		}
	}
	return false
}

// reconcilesBeside reports whether a file that does not import the path has a reconciler.
func (p *Package) reconcilesBeside(path string) bool {
	return slices.ContainsFunc(p.Funcs, func(fn *ssa.Function) bool {
		return p.starts.Reconciles(fn) && !slices.ContainsFunc(p.pass.Files, func(file *ast.File) bool {
			return file.FileStart <= fn.Pos() && fn.Pos() < file.FileEnd && imports(file, path)
		})
	})
}

// imports reports whether the file imports the path.
func imports(file *ast.File, path string) bool {
	return slices.ContainsFunc(file.Imports, func(imp *ast.ImportSpec) bool {
		return strings.Trim(imp.Path.Value, "`\"") == path
	})
}

// exports reports whether an exported function or method of pkg takes or returns a type
// of the other package.
func exports(pkg, of *types.Package) bool {
	mentions := func(fn *types.Func) bool {
		sig := fn.Signature()
		for _, tuple := range []*types.Tuple{sig.Params(), sig.Results()} {
			for v := range tuple.Variables() {
				if named := library.NamedOf(v.Type()); named != nil && named.Obj().Pkg() == of {
					return fn.Exported()
				}
			}
		}
		return false
	}
	scope := pkg.Scope()
	for _, name := range scope.Names() {
		switch obj := scope.Lookup(name).(type) {
		case *types.Func:
			if mentions(obj) {
				return true
			}
		case *types.TypeName:
			if named, ok := obj.Type().(*types.Named); ok {
				for m := range named.Methods() {
					if mentions(m) {
						return true
					}
				}
			}
		}
	}
	return false
}

// importedByTestFileOnly reports whether only _test.go files import the path.
func (p *Package) importedByTestFileOnly(path string) bool {
	for _, file := range p.pass.Files {
		if ssair.InTest(p.pass.Fset, file.FileStart) {
			continue
		}
		if imports(file, path) {
			return false
		}
	}
	return true
}

// entryPoint reports whether a framework calls the function with a context while the
// controllers run: a reconcile or a part of one, a runnable's Start, an HTTP handler.
func (p *Package) entryPoint(fn *ssa.Function) bool {
	return p.starts.Reconciles(fn) || (IsStart(fn) || fn.Name() == "ServeHTTP") && !p.idle(fn)
}

// IsEntryPoint reports whether a framework calls the function while the controllers run:
// a reconcile or a part of one, a runnable's Start, an HTTP handler.
func (p *Package) IsEntryPoint(fn *ssa.Function) bool { return p.entryPoint(fn) || takesRequest(fn) }

// IsStart reports whether fn has the name and the signature of the method Start of a
// manager's runnable.
func IsStart(fn *ssa.Function) bool {
	sig := fn.Signature
	return fn.Name() == "Start" && sig.Recv() != nil && sig.Params().Len() == 1 && IsContext(sig.Params().At(0).Type()) &&
		sig.Results().Len() == 1 && library.IsError(sig.Results().At(0).Type())
}

// setsUp reports whether the function prepares what runs later: it takes a
// manager or a builder.
func setsUp(fn *ssa.Function) bool {
	for _, param := range fn.Params {
		switch library.TypeOf(param.Type()).Is {
		case library.Manager, library.Builder, library.SchemeBuilder, library.Cluster:
			return true
		}
	}
	return false
}
