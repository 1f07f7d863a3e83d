package library

import (
	"go/types"
	"strings"
)

// A Package holds the records of one package. Several may have the same path,
// but none speaks of what another one does.
type Package struct {
	Path string
	// Also are other paths, of other versions or former ones, of a library whose
	// functions mean the same to us.
	Also []string
	// Traits hold for all functions of the package, and of those below it that have
	// none of their own.
	Traits Traits
	// Resty is the version of that HTTP client which the package is.
	Resty RestyVersion
	// Short is the name under which the package is usually imported, if not its own.
	Short string

	Funcs map[string]Func // by "Name" or "Type.Method"
	Types map[string]Type
	Vars  map[string]Var
}

// Traits is a set of what is known about all functions of a package.
type Traits uint16

const (
	// Pure: they have no effect that matters here beyond computing their results
	// from their arguments.
	Pure Traits = 1 << iota
	// Registers: they keep the functions that they are given for later, instead
	// of calling them: routers, command lines, schedulers.
	Registers
	// Unordered: they deal with sets, and with sequences without an order.
	Unordered
	// Prints: they print their arguments as package fmt does.
	Prints
	// TellsTime: they compute times of times.
	TellsTime
	// CarriesContext: their values carry contexts only in ways that the records say.
	CarriesContext
	// WrapsContext: their errors may wrap that of a context.
	WrapsContext
	// UsesCluster: they are, or make, clients of a cluster.
	UsesCluster
	// CommandLine: they read command lines. ForTests: they serve tests.
	CommandLine
	ForTests
)

// Has reports whether all of the others are in the set.
func (t Traits) Has(others Traits) bool { return t&others == others }

// TraitsOf returns what is known about all functions of the package with this
// path: what is known of the nearest package at or above it that has traits.
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

// TraitsOfPackage is [TraitsOf] for a package, which may be nil.
func TraitsOfPackage(pkg *types.Package) Traits {
	if pkg == nil {
		return 0
	}
	return TraitsOf(pkg.Path())
}

// IsStandard reports whether the package with this path belongs to the standard
// library.
func IsStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

// IsKubernetes reports whether the package with this path is one of the
// Kubernetes libraries that the records speak for.
func IsKubernetes(path string) bool {
	return strings.HasPrefix(path, "k8s.io/") || within(path, crt)
}

// IsKubernetesProject reports whether the package with this path is one of the
// projects of Kubernetes.
func IsKubernetesProject(path string) bool {
	return strings.HasPrefix(path, "k8s.io/") || strings.HasPrefix(path, "sigs.k8s.io/")
}

// within reports whether the package path is root or lies below it.
func within(path, root string) bool {
	rest, ok := strings.CutPrefix(path, root)
	return ok && (rest == "" || rest[0] == '/')
}

// ShortName returns the name under which the package is usually imported.
func ShortName(pkg *types.Package) string {
	if e := table[pkg.Path()]; e != nil && e.short != "" {
		return e.short
	}
	return pkg.Name()
}
