// Package state compares what a Thing is with what it was.
package state

import (
	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// Hash of what is wished.
func Hash(thing *thingapi.Thing) string { return thing.Spec.Image + thing.Spec.TargetRef }

// Moved reports whether the Thing had another hash before.
func Moved(thing *thingapi.Thing, hash string) bool {
	if thing.Status.Hash == "" {
		return false
	}
	if hash == "" {
		hash = thing.Name
	}
	return thing.Status.Hash != hash
}

// Fresh reports whether the Thing has no hash yet.
func Fresh(thing *thingapi.Thing) bool { return thing.Status.Hash == "" }
