// Package facts encodes the facts about a package for the packages that import it.
//
// Most packages are imported by many, which ask for few of its facts, and for many
// not at all. So facts are encoded by type, and those of a type are decoded when
// someone asks for one.
package facts

import (
	"bytes"
	"cmp"
	"encoding/gob"
	"reflect"
	"slices"
	"sync"

	"golang.org/x/tools/go/analysis"
)

// A Fact is about the object of a package that is called Of, whatever that means to
// whom it concerns, or about the package if Of is empty.
type Fact struct {
	Of   string
	Fact analysis.Fact
}

// Encoded has the facts about a package, by type.
type Encoded []OfType

// OfType has the facts of one type.
type OfType struct {
	Type   string
	Of     []string // sorted
	Values []byte   // the facts, a slice of Type in gob's encoding
}

// Encode encodes the facts about a package. The result does not depend on their order.
func Encode(all []Fact) (Encoded, error) {
	all = slices.SortedFunc(slices.Values(all), func(a, b Fact) int {
		return cmp.Or(cmp.Compare(nameOf(reflect.TypeOf(a.Fact)), nameOf(reflect.TypeOf(b.Fact))), cmp.Compare(a.Of, b.Of))
	})
	var encoded Encoded
	for len(all) > 0 {
		typ := reflect.TypeOf(all[0].Fact)
		of := OfType{Type: nameOf(typ)}
		values := reflect.MakeSlice(reflect.SliceOf(typ), 0, len(all))
		for len(all) > 0 && reflect.TypeOf(all[0].Fact) == typ {
			of.Of = append(of.Of, all[0].Of)
			values = reflect.Append(values, reflect.ValueOf(all[0].Fact))
			all = all[1:]
		}
		var buf bytes.Buffer
		if err := gob.NewEncoder(&buf).EncodeValue(values); err != nil {
			return nil, err
		}
		of.Values = buf.Bytes()
		encoded = append(encoded, of)
	}
	return encoded, nil
}

func nameOf(typ reflect.Type) string { return typ.String() }

// About are the facts about a package, decoded on demand. A nil *About has none.
type About struct {
	encoded Encoded
	mu      sync.Mutex
	decoded map[reflect.Type]map[string]analysis.Fact
}

// Decode returns the facts.
func Decode(encoded Encoded) *About {
	return &About{encoded: encoded, decoded: make(map[reflect.Type]map[string]analysis.Fact)}
}

// Objects returns the names of the objects that have a fact of the type, sorted.
func (a *About) Objects(typ reflect.Type) []string {
	if a == nil {
		return nil
	}
	for _, of := range a.encoded {
		if of.Type == nameOf(typ) {
			return of.Of
		}
	}
	return nil
}

// All returns all facts of the type, by what they are about. Facts that cannot be
// decoded are missing, which means that nothing is known.
func (a *About) All(typ reflect.Type) map[string]analysis.Fact {
	objects := a.Objects(typ)
	if len(objects) == 0 {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if facts, ok := a.decoded[typ]; ok {
		return facts
	}
	facts := make(map[string]analysis.Fact, len(objects))
	a.decoded[typ] = facts
	i := slices.IndexFunc(a.encoded, func(of OfType) bool { return of.Type == nameOf(typ) })
	values := reflect.New(reflect.SliceOf(typ)).Elem()
	if err := gob.NewDecoder(bytes.NewReader(a.encoded[i].Values)).DecodeValue(values); err != nil || values.Len() != len(objects) {
		return nil
	}
	for i, of := range objects {
		facts[of] = values.Index(i).Interface().(analysis.Fact)
	}
	return facts
}

// Get returns the fact of the type about an object, or about the package if of is
// empty. It returns nil if there is none.
func (a *About) Get(of string, typ reflect.Type) analysis.Fact {
	if _, found := slices.BinarySearch(a.Objects(typ), of); !found {
		return nil
	}
	return a.All(typ)[of]
}

// Set copies a fact, if it is known, to one of its type.
func Set(to, known analysis.Fact) bool {
	if known == nil {
		return false
	}
	reflect.ValueOf(to).Elem().Set(reflect.ValueOf(known).Elem())
	return true
}
