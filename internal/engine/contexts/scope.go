package contexts

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
)

// Scope returns the expression for the context that a function has at hand: a
// parameter, that of an enclosing function, a field of the receiver or of a
// parameter, a request's. It is empty if there is none.
func (p *Package) Scope(fn *ssa.Function) string { return p.scopes[fn] }

// findScopes finds the scopes of all functions. One that lies within another
// comes after it.
func (p *Package) findScopes() {
	p.scopes = make(map[*ssa.Function]string)
	for _, fn := range p.Funcs {
		p.scopes[fn] = p.findScope(fn)
	}
}

func (p *Package) findScope(fn *ssa.Function) string {
	for _, param := range fn.Params {
		if IsContext(param.Type()) && p.Signal(param) == Scope {
			return nameOr(param.Name(), "its context")
		}
	}
	for _, param := range fn.Params {
		if library.TypeOf(param.Type()).Is == library.HTTPRequest {
			return nameOr(param.Name(), "the request") + ".Context()"
		}
	}
	for _, param := range fn.Params {
		if field := p.contextField(param.Type(), 0); field != nil {
			return nameOr(param.Name(), "the receiver") + "." + field.Name()
		}
	}
	if parent := fn.Parent(); parent != nil {
		return p.Scope(parent)
	}
	return ""
}

func nameOr(name, other string) string {
	if name == "" || name == "_" {
		return other
	}
	return name
}

// maxEmbedding bounds the depth of embedded structs that are looked through.
const maxEmbedding = 3

// contextField returns the field of the struct, of the struct pointed to, or of
// a struct embedded there, that holds a context in scope.
func (p *Package) contextField(t types.Type, depth int) *types.Var {
	named := library.NamedOf(t)
	if named == nil || isCommandLine(named.Obj().Pkg()) {
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

// isCommandLine reports whether the package is a library for command lines.
func isCommandLine(pkg *types.Package) bool {
	return library.TraitsOfPackage(pkg).Has(library.CommandLine)
}

// commandLine reports whether the package is a command, or defines one: waits
// there are those of start-up code and of people at a terminal.
func (p *Package) commandLine() bool {
	if p.Types.Name() == "main" || belowCommand(p.Types.Path()) {
		return true
	}
	for _, imp := range p.Types.Imports() {
		if isCommandLine(imp) {
			return true
		}
	}
	return false
}

// belowCommand reports whether the package belongs to a command by its place
// below a folder cmd, unless a later element says that the command is an
// operator: some have their controllers there.
func belowCommand(path string) bool {
	_, below, ok := strings.Cut(path, "/cmd/")
	for elem := range strings.SplitSeq(below, "/") {
		if elem == "manager" || strings.Contains(elem, "operator") || strings.Contains(elem, "controller") {
			return false
		}
	}
	return ok
}

// ForTests reports whether the package serves tests only.
func (p *Package) ForTests() bool {
	for elem := range strings.SplitSeq(p.Types.Path(), "/") {
		switch elem {
		case "e2e", "test", "tests":
			return true
		}
	}
	for _, imp := range p.Types.Imports() {
		if !p.importedByTestFileOnly(imp.Path()) && library.TraitsOfPackage(imp).Has(library.ForTests) {
			return true
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
		for _, imp := range file.Imports {
			if strings.Trim(imp.Path.Value, "`\"") == path {
				return false
			}
		}
	}
	return true
}

// entryPoint reports whether the function is called by a framework with a
// context of the running process: a reconcile or a part of one, a runnable's Start, an HTTP
// handler.
func entryPoint(fn *ssa.Function) bool {
	return ssair.Reconciles(fn) || IsStart(fn) || fn.Name() == "ServeHTTP"
}

// IsStart knows a runnable of a manager by its shape.
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
