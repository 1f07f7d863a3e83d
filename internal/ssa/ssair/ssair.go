// Package ssair builds the SSA form of the packages that matter to an operator,
// and of no others.
//
// Facts make a driver analyse every dependency of the packages that the user
// named: some 1,400 for an operator on controller-runtime. Building SSA for all
// of them costs more than everything else together. So [Analyzer] builds it only
// for relevant packages (see [Relevant]); for the rest, the records of package
// library describe the functions that matter. Unlike x/tools' buildssa, ssair
// needs no control-flow facts of the dependencies: the records also have the few
// functions that never return.
//
// Functions in test files have no SSA. They do not run in an operator, and no
// rule reports them. Functions that Kubernetes' code generators write for
// objects have no SSA either. They are most of the code of an API package, but
// they wait for nothing and write nothing to the cluster. The engines model a
// deep copy instead.
package ssair

import (
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/library"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
	"github.com/operatorvet/operatorvet/internal/ssa/origin"
)

// Analyzer builds SSA for the package if it is relevant. Its result is a
// *[Package].
var Analyzer = rule.Guard(&analysis.Analyzer{
	Name:       "operatorssa",
	Doc:        "build SSA of the packages that matter to an operator",
	Run:        run,
	ResultType: reflect.TypeFor[*Package](),
})

// Package is the SSA form of a package.
type Package struct {
	// SSA is nil if the package is not relevant or has only test files.
	SSA *ssa.Package

	// Funcs holds the functions that the package declares, in source order. Each
	// is followed by the function literals within it. The literals in initial
	// values of package variables (a cobra RunE) come last.
	Funcs []*ssa.Function

	// Index indexes the package's stores and the uses of its functions. It is
	// nil if SSA is nil.
	Index *origin.Index
}

func run(pass *analysis.Pass) (any, error) {
	written := func(f *ast.File) bool { return !InTest(pass.Fset, f.FileStart) }
	if !Relevant(pass.Pkg, pass.Module) || !slices.ContainsFunc(pass.Files, written) {
		return new(Package), nil
	}
	prog := ssa.NewProgram(pass.Fset, ssa.BareInits)
	prog.SetNoReturn(func(fn *types.Func) bool { return library.Of(fn).NeverReturns })
	for imp := range referredTo(pass) {
		prog.CreatePackage(imp, nil, nil, true)
	}
	files, info := ofInterest(pass)
	pkg := prog.CreatePackage(pass.Pkg, files, info, false)
	pkg.Build()

	res := &Package{SSA: pkg}
	var add func(fn *ssa.Function)
	add = func(fn *ssa.Function) {
		res.Funcs = append(res.Funcs, fn)
		for _, lit := range fn.AnonFuncs {
			add(lit)
		}
	}
	for _, file := range files {
		for _, decl := range file.Decls {
			decl, ok := decl.(*ast.FuncDecl)
			if !ok || decl.Body == nil {
				continue // a body in assembly, from cgo or left out
			}
			obj, ok := pass.TypesInfo.Defs[decl.Name].(*types.Func)
			if !ok {
				continue
			}
			if fn := prog.FuncValue(obj); fn != nil {
				add(fn)
			}
		}
	}
	if init := pkg.Func("init"); init != nil {
		for _, lit := range init.AnonFuncs {
			add(lit)
		}
	}
	res.Index = origin.NewIndex(pkg, res.Funcs)
	return res, nil
}

// referredTo returns the other packages whose functions and variables the
// package refers to. The rest need no SSA members: an API package mostly
// declares types, and the SSA builder makes the functions of methods when they
// are called.
func referredTo(pass *analysis.Pass) map[*types.Package]bool {
	found := make(map[*types.Package]bool)
	for _, obj := range pass.TypesInfo.Uses {
		switch obj.(type) {
		case *types.Func, *types.Var:
			if pkg := obj.Pkg(); pkg != nil && pkg != pass.Pkg && obj.Parent() == pkg.Scope() {
				found[pkg] = true
			}
		}
	}
	return found
}

// ofInterest returns the files and the type information for the SSA builder. In
// test files and in files of Kubernetes' code generators it leaves out the
// bodies of functions and the initial values of variables. The functions stay
// declared, as they may be methods of the package's types.
func ofInterest(pass *analysis.Pass) ([]*ast.File, *types.Info) {
	leftOut := func(n ast.Node) bool {
		file := pass.Fset.File(n.Pos())
		return file != nil && LeftOut(file.Name())
	}
	if !slices.ContainsFunc(pass.Files, func(f *ast.File) bool { return leftOut(f.Name) }) {
		return pass.Files, pass.TypesInfo
	}
	files := slices.Clone(pass.Files)
	for i, file := range files {
		if !leftOut(file.Name) {
			continue
		}
		declared := *file
		declared.Decls = slices.Clone(file.Decls)
		for j, decl := range declared.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok {
				bodiless := *fn
				bodiless.Body = nil
				declared.Decls[j] = &bodiless
			}
		}
		files[i] = &declared
	}
	info := *pass.TypesInfo
	info.InitOrder = slices.DeleteFunc(slices.Clone(info.InitOrder), func(init *types.Initializer) bool { return leftOut(init.Rhs) })
	return files, &info
}

// Referable reports whether another package can refer to the function. Other
// functions need no facts. A method that is not exported can still be reached,
// as a method value.
func Referable(fn *types.Func) bool { return fn.Exported() || fn.Signature().Recv() != nil }

// InTest reports whether the position is in a test file.
func InTest(fset *token.FileSet, pos token.Pos) bool {
	file := fset.File(pos)
	return file != nil && strings.HasSuffix(file.Name(), "_test.go")
}

// LeftOut reports whether the functions in the file have no SSA: it is a test file,
// or a generator of k8s.io/code-generator or controller-gen wrote it. It recognises
// the latter by the name that the generators use. Such code visits all fields of
// objects.
func LeftOut(file string) bool {
	switch filepath.Base(file) {
	case "zz_generated.deepcopy.go", "zz_generated.conversion.go", "zz_generated.defaults.go",
		"zz_generated.openapi.go", "zz_generated.validations.go":
		return true
	}
	return strings.HasSuffix(file, "_test.go")
}

// Relevant reports whether the engines analyse a package's own code. Relevant
// are the packages of the modules under development, and the packages of other
// modules that use a Kubernetes client directly. The libraries that the records
// describe are relevant only if they are under development.
//
// The answer depends on the package alone, not on the driver, so all drivers
// agree. A driver that knows no modules passes a nil mod.
func Relevant(pkg *types.Package, mod *analysis.Module) bool {
	imports := make([]string, 0, len(pkg.Imports()))
	for _, imp := range pkg.Imports() {
		imports = append(imports, imp.Path())
	}
	return RelevantBy(pkg.Path(), imports, mod)
}

// RelevantBy is [Relevant] for a package without types, of which the path and the direct
// imports are known.
func RelevantBy(path string, imports []string, mod *analysis.Module) bool {
	return mod != nil && mod.Path != "" && mod.Version == "" || usesClient(path, imports) // main module or workspace module
}

// IsOwn reports whether the path is that of a package of the module under analysis. Where the driver knows
// no modules, that is the package of the pass and those below it.
func IsOwn(pass *analysis.Pass, path string) bool {
	module := pass.Pkg.Path()
	if m := pass.Module; m != nil && m.Path != "" {
		module = m.Path
	}
	return path == module || strings.HasPrefix(path, module+"/")
}

// usesClient reports whether the package with this path and these direct imports
// uses a Kubernetes client and is not itself one of the Kubernetes libraries.
func usesClient(path string, imports []string) bool {
	return !library.IsKubernetes(path) && slices.ContainsFunc(imports, func(imp string) bool {
		return library.TraitsOf(imp).Has(library.UsesCluster)
	})
}
