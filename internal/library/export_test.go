package library

import (
	"reflect"
	"slices"
	"strings"
)

// Names returns, sorted, the names of all functions, types and variables that
// have records or that a record mentions.
func Names() []string {
	var all []string
	for _, p := range packages {
		for name, f := range p.Funcs {
			name = qualified(p.Path, name)
			all = append(all, name)
			if f.Successor != nil {
				all = append(all, name[:strings.LastIndexByte(name, '.')+1]+f.Successor.Name)
			}
		}
		for name := range p.Types {
			all = append(all, p.Path+"."+name)
		}
		for name, v := range p.Vars {
			all = append(all, p.Path+"."+name)
			for _, held := range []string{v.Func, v.Type} {
				if held != "" {
					all = append(all, held)
				}
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func qualified(path, name string) string {
	if recv, method, ok := strings.Cut(name, "."); ok {
		return "(" + path + "." + recv + ")." + method
	}
	return path + "." + name
}

// Twice returns the names that have several records.
func Twice() []string { return twice }

// Empty returns the names whose records are empty.
func Empty() []string {
	var all []string
	for _, p := range packages {
		for name, f := range p.Funcs {
			if reflect.ValueOf(f).IsZero() {
				all = append(all, qualified(p.Path, name))
			}
		}
		for name, t := range p.Types {
			if reflect.ValueOf(t).IsZero() {
				all = append(all, p.Path+"."+name)
			}
		}
		for name, v := range p.Vars {
			if reflect.ValueOf(v).IsZero() {
				all = append(all, p.Path+"."+name)
			}
		}
	}
	slices.Sort(all)
	return all
}

// KindsWithoutGeneration returns the kinds in that table, sorted, as
// "group/kind".
func KindsWithoutGeneration() []string {
	var all []string
	for k := range withoutGeneration {
		all = append(all, k.Group+"/"+k.Kind)
	}
	slices.Sort(all)
	return all
}

// HasRecord reports whether there is a record of the package with this path.
func HasRecord(path string) bool { return table[path] != nil }
