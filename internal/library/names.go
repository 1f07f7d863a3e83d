package library

import (
	"maps"
	"slices"
	"strings"
)

// ControllerNames lists, sorted, the names of all functions, package variables
// and types that the tables about writes, watches, predicates and owners know, so that a
// test can look each up in the real libraries.
func ControllerNames() []string {
	var all []string
	for name := range writes {
		all = append(all, name)
	}
	for name := range watches {
		all = append(all, name)
	}
	for name := range owners {
		all = append(all, name)
	}
	for variable, fn := range funcVars {
		all = append(all, variable, fn)
	}
	for variable, typ := range typeVars {
		all = append(all, variable, typ)
	}
	for typ := range parts {
		all = append(all, typ)
	}
	for typ := range anyKind {
		all = append(all, typ)
	}
	for _, table := range []map[string]bool{predicateFuncs, updateEvents, predicateOptions, equalities} {
		all = slices.AppendSeq(all, maps.Keys(table))
	}
	all = slices.AppendSeq(all, maps.Keys(combinations))
	all = slices.AppendSeq(all, maps.Keys(predicateTypes))
	all = append(all, DryRun, EveryOwner, OnlyMetadata)
	slices.SortFunc(all, strings.Compare)
	return slices.Compact(all)
}
