package driver

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/objectpath"

	"github.com/operatorvet/operatorvet/internal/rules/facts"
)

// A later run needs the findings in a package, and the package's facts for
// importers that have changed. Most packages have no findings, and nobody asks
// for their facts, so the facts are encoded separately.

// encode returns what later runs need to know about a package, or nil if it
// cannot be encoded.
func encode(found []Finding, forImporters []facts.Fact) []byte {
	first, err := encodeSlice(found)
	if err != nil {
		return nil
	}
	byType, err := facts.Encode(forImporters)
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

// nameOf returns the name under which facts about an object are kept: most objects
// have none, and it can take long to find their paths. So a name, which need not be
// unique, comes first.
func nameOf(obj types.Object, path objectpath.Path) string { return obj.Name() + " " + string(path) }

// forImporters returns the facts that importers may ask for. It drops facts about
// objects to which no other package can refer. Other drivers, which keep facts in
// files, do the same.
func (f *packageFacts) forImporters() []facts.Fact {
	var all []facts.Fact
	var paths objectpath.Encoder
	for key, fact := range f.ofObjects {
		path, err := paths.For(key.obj)
		if err != nil || !exported(key.obj) {
			delete(f.ofObjects, key)
			continue
		}
		all = append(all, facts.Fact{Of: nameOf(key.obj, path), Fact: fact})
	}
	for _, fact := range f.ofPackage {
		all = append(all, facts.Fact{Fact: fact})
	}
	return all
}

// recalledFacts has the facts of a package that an earlier run analysed. They
// are decoded on demand. A nil *recalledFacts has none.
type recalledFacts struct {
	encoded []byte
	once    sync.Once
	decoded *facts.About
}

// about returns the facts; none if they cannot be decoded, which means that nothing
// is known.
func (r *recalledFacts) about() *facts.About {
	if r == nil {
		return nil
	}
	r.once.Do(func() {
		if byType, err := decodeSlice[facts.OfType](r.encoded); err == nil {
			r.decoded = facts.Decode(byType)
		}
	})
	return r.decoded
}

// ofObject returns the fact of the type about an object of the package, or nil.
func (r *recalledFacts) ofObject(obj types.Object, typ reflect.Type) analysis.Fact {
	objects := r.about().Objects(typ)
	first := nameOf(obj, "")
	if i, _ := slices.BinarySearch(objects, first); i == len(objects) || !strings.HasPrefix(objects[i], first) {
		return nil
	}
	path, err := objectpath.For(obj)
	if err != nil {
		return nil
	}
	return r.about().Get(nameOf(obj, path), typ)
}

// ofPackage returns the fact of the type about the package, or nil.
func (r *recalledFacts) ofPackage(typ reflect.Type) analysis.Fact { return r.about().Get("", typ) }

// ofObjects returns all facts of the type about objects, by their paths.
func (r *recalledFacts) ofObjects(typ reflect.Type) map[objectpath.Path]analysis.Fact {
	all := make(map[objectpath.Path]analysis.Fact)
	for of, fact := range r.about().All(typ) {
		if _, path, ok := strings.Cut(of, " "); ok {
			all[objectpath.Path(path)] = fact
		}
	}
	return all
}
