package library

import (
	"go/types"
	"strings"
)

// A Package holds the records of one package. Several may have the same path,
// but each record is in only one of them.
type Package struct {
	Path string
	// Also has other paths of the library, for other versions or from before a
	// move. Its functions mean the same there.
	Also []string
	// Traits hold for all functions of the package. They also hold for packages
	// below it that have no traits of their own.
	Traits Traits
	// Resty is the version of the HTTP client resty, if the package is one.
	Resty RestyVersion
	// Short is the usual name of the import, if it is not the package's own
	// name.
	Short string

	Funcs map[string]Func // by "Name" or "Type.Method"
	Types map[string]Type
	Vars  map[string]Var
}

// Traits is a set of properties that all functions of a package have.
type Traits uint16

const (
	// Pure: the functions only compute their results from their arguments, as
	// far as the rules are concerned.
	Pure Traits = 1 << iota
	// Registers: the functions keep function arguments for later instead of
	// calling them, as routers, command lines and schedulers do.
	Registers
	// Unordered: the functions deal with sets, and with sequences without an
	// order.
	Unordered
	// Prints: the functions print their arguments like package fmt.
	Prints
	// TellsTime: the functions compute times from times.
	TellsTime
	// CarriesContext: values of the package carry contexts only in ways that the
	// records describe.
	CarriesContext
	// WrapsContext: the functions return errors that may wrap that of a context.
	WrapsContext
	// UsesCluster: the package's values are clients of a cluster, or make
	// clients.
	UsesCluster
	// Immutable: the methods do not change their receivers.
	Immutable
	// Tells: what the functions get is for people to read, in a log or an event.
	Tells
	// CommandLine: the functions read command lines. ForTests: they serve tests.
	CommandLine
	ForTests
	// Mocks: a struct that has a value of the package stands for another type in tests.
	Mocks
	// Outside: what the functions return comes from outside of the process: from
	// another program, a database, a server. Their arguments do not tell what it is.
	Outside
)

// Has reports whether the set contains all of the others.
func (t Traits) Has(others Traits) bool { return t&others == others }

// TraitsOf returns the traits of the package with this path: those of the
// nearest package at or above it that has any.
func TraitsOf(path string) Traits {
	for dir := path; ; {
		if e := table[dir]; e != nil && e.rooted {
			return e.traits
		}
		i := strings.LastIndexByte(dir, '/')
		if i < 0 {
			break
		}
		dir = dir[:i]
	}
	if IsStandard(path) {
		return Pure
	}
	return 0
}

// TraitsOfPackage is like [TraitsOf] for a package, which may be nil.
func TraitsOfPackage(pkg *types.Package) Traits {
	if pkg == nil {
		return 0
	}
	return TraitsOf(pkg.Path())
}

// IsMock reports whether the type is a mock, which tests use in place of another one.
func IsMock(t types.Type) bool {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		if named := NamedOf(Deref(f.Type())); named != nil && TraitsOfPackage(named.Obj().Pkg()).Has(Mocks) {
			return true
		}
	}
	return false
}

// IsKubernetes reports whether the package with this path belongs to the
// Kubernetes libraries that the records describe.
func IsKubernetes(path string) bool {
	return strings.HasPrefix(path, "k8s.io/") || within(path, crt)
}

// IsKubernetesProject reports whether the package with this path belongs to a
// project of Kubernetes.
func IsKubernetesProject(path string) bool {
	return strings.HasPrefix(path, "k8s.io/") || strings.HasPrefix(path, "sigs.k8s.io/")
}

// within reports whether the package path is root or lies below it.
func within(path, root string) bool {
	rest, ok := strings.CutPrefix(path, root)
	return ok && (rest == "" || rest[0] == '/')
}

// ShortName returns the usual name of an import of the package.
func ShortName(pkg *types.Package) string {
	if e := table[pkg.Path()]; e != nil && e.short != "" {
		return e.short
	}
	return pkg.Name()
}
