package library

import (
	"maps"
	"slices"
)

// UnstableNames lists the names of all functions and types in the tables about
// unstable values and about conditions.
func UnstableNames() []string {
	return slices.Concat(
		slices.Collect(maps.Keys(sources)),
		slices.Collect(maps.Keys(sorters)),
		slices.Collect(maps.Keys(orderers)),
		slices.Collect(maps.Keys(unordered)),
		slices.Collect(maps.Keys(timeKinds)),
		slices.Collect(maps.Keys(conditions)),
	)
}

// KindsWithoutGeneration lists the kinds of that table, sorted: "group/kind".
func KindsWithoutGeneration() []string {
	var all []string
	for k := range withoutGeneration {
		all = append(all, k.Group+"/"+k.Kind)
	}
	slices.Sort(all)
	return all
}
