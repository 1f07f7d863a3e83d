package driver

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/gob"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/objectpath"
)

// A later run needs the findings in a package, and the package's facts for
// importers that have changed. Most packages have no findings, and nobody asks
// for their facts, so the facts are encoded separately.

// encode returns what later runs need to know about a package, or nil if it
// cannot be encoded.
func encode(found []Finding, facts []pathFact) []byte {
	first, err := encodeSlice(found)
	if err != nil {
		return nil
	}
	byType, err := encodeFacts(facts)
	if err != nil {
		return nil
	}
	second, err := encodeSlice(byType)
	if err != nil {
		return nil
	}
	kept := binary.AppendUvarint(nil, uint64(len(first)))
	return append(append(kept, first...), second...)
}

// decode is the inverse of encode, but leaves the facts encoded.
func decode(kept []byte) (found []Finding, facts []byte, ok bool) {
	length, n := binary.Uvarint(kept)
	if n <= 0 || length > uint64(len(kept)-n) {
		return nil, nil, false
	}
	kept = kept[n:]
	found, err := decodeSlice[Finding](kept[:length])
	return found, kept[length:], err == nil
}

// moved returns findings with other names of files.
func moved(found []Finding, name func(string) string) []Finding {
	found = slices.Clone(found)
	move := func(positions ...*token.Position) {
		for _, p := range positions {
			p.Filename = name(p.Filename)
		}
	}
	for i := range found {
		f := &found[i]
		move(&f.Pos, &f.End)
		f.Fixes = slices.Clone(f.Fixes)
		for j := range f.Fixes {
			f.Fixes[j].Edits = slices.Clone(f.Fixes[j].Edits)
			for k := range f.Fixes[j].Edits {
				move(&f.Fixes[j].Edits[k].Pos, &f.Fixes[j].Edits[k].End)
			}
		}
		f.Steps = slices.Clone(f.Steps)
		for j := range f.Steps {
			move(&f.Steps[j].From, &f.Steps[j].To)
		}
	}
	return found
}

func encodeSlice[T any](list []T) ([]byte, error) {
	if len(list) == 0 {
		return nil, nil
	}
	var buf bytes.Buffer
	err := gob.NewEncoder(&buf).Encode(list)
	return buf.Bytes(), err
}

func decodeSlice[T any](data []byte) (list []T, err error) {
	if len(data) > 0 {
		err = gob.NewDecoder(bytes.NewReader(data)).Decode(&list)
	}
	return list, err
}

// pathFact is a fact about the object with this path in its package, or about
// the package if the path is "".
type pathFact struct {
	path objectpath.Path
	name string
	fact analysis.Fact
}

// forImporters returns the facts that importers may ask for, in a deterministic
// order. It drops facts about objects to which no other package can refer. Other
// drivers, which keep facts in files, do the same.
func (f *packageFacts) forImporters() []pathFact {
	var all []pathFact
	var paths objectpath.Encoder
	for key, fact := range f.ofObjects {
		path, err := paths.For(key.obj)
		if err != nil || !exported(key.obj) {
			delete(f.ofObjects, key)
			continue
		}
		all = append(all, pathFact{path, key.obj.Name(), fact})
	}
	for _, fact := range f.ofPackage {
		all = append(all, pathFact{fact: fact})
	}
	slices.SortFunc(all, func(a, b pathFact) int {
		return cmp.Or(cmp.Compare(typeName(a.fact), typeName(b.fact)), cmp.Compare(a.path, b.path))
	})
	return all
}

func typeName(fact analysis.Fact) string { return reflect.TypeOf(fact).String() }

// factsOfType has the facts of one type.
type factsOfType struct {
	Type    string
	Objects []objectpath.Path // that they are about
	Names   []string          // of these objects
	Values  []byte            // the facts, a slice of Type in gob's encoding
}

func encodeFacts(facts []pathFact) (byType []factsOfType, err error) {
	for len(facts) > 0 {
		name := typeName(facts[0].fact)
		of := factsOfType{Type: name}
		values := reflect.MakeSlice(reflect.SliceOf(reflect.TypeOf(facts[0].fact)), 0, len(facts))
		for len(facts) > 0 && typeName(facts[0].fact) == name {
			of.Objects = append(of.Objects, facts[0].path)
			of.Names = append(of.Names, facts[0].name)
			values = reflect.Append(values, reflect.ValueOf(facts[0].fact))
			facts = facts[1:]
		}
		var buf bytes.Buffer
		if err := gob.NewEncoder(&buf).EncodeValue(values); err != nil {
			return nil, err
		}
		of.Values = buf.Bytes()
		byType = append(byType, of)
	}
	return byType, nil
}

// recalledFacts has the facts of a package that an earlier run analysed. They
// are decoded on demand. A nil *recalledFacts has none.
type recalledFacts struct {
	mu      sync.Mutex
	encoded []byte // until the first question
	byType  map[string]*recalledType
}

type recalledType struct {
	factsOfType
	decoded map[objectpath.Path]analysis.Fact
}

// ofObject returns the fact of the type about an object of the package, or nil.
func (r *recalledFacts) ofObject(obj types.Object, typ reflect.Type) analysis.Fact {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	// Most objects have no fact, and it can take long to find their paths.
	if of := r.ofType(typ); of == nil || !slices.Contains(of.Names, obj.Name()) {
		return nil
	}
	path, err := objectpath.For(obj)
	if err != nil {
		return nil
	}
	return r.decode(typ)[path]
}

// ofPackage returns the fact of the type about the package, or nil.
func (r *recalledFacts) ofPackage(typ reflect.Type) analysis.Fact { return r.all(typ)[""] }

// all returns all facts of the type, by the paths of their objects.
func (r *recalledFacts) all(typ reflect.Type) map[objectpath.Path]analysis.Fact {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.decode(typ)
}

func (r *recalledFacts) ofType(typ reflect.Type) *recalledType {
	if r.byType == nil {
		r.byType = make(map[string]*recalledType)
		list, err := decodeSlice[factsOfType](r.encoded)
		if err != nil {
			return nil // a missing fact means that nothing is known
		}
		for _, of := range list {
			r.byType[of.Type] = &recalledType{factsOfType: of}
		}
	}
	return r.byType[typ.String()]
}

func (r *recalledFacts) decode(typ reflect.Type) map[objectpath.Path]analysis.Fact {
	of := r.ofType(typ)
	if of == nil {
		return nil
	}
	if of.decoded == nil {
		of.decoded = make(map[objectpath.Path]analysis.Fact)
		values := reflect.New(reflect.SliceOf(typ)).Elem()
		if err := gob.NewDecoder(bytes.NewReader(of.Values)).DecodeValue(values); err != nil {
			return nil
		}
		for i, path := range of.Objects {
			of.decoded[path] = values.Index(i).Interface().(analysis.Fact)
		}
	}
	return of.decoded
}
