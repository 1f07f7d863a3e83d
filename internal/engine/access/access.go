// Package access has the type of access paths. A path leads from an object to a
// place in it. Pointers on the way are not part of the path.
//
//	.Spec.Template         fields
//	.Items[]               any element of a slice, an array or a map
//	.Data["config.yaml"]   the entry of a map under a constant key
//	.Pods[key]             what any key of a map, a pointer, points to
//	.Items#                the order of a sequence
//	~opaque                a [Marker]: a fact about the object itself
package access

import (
	"iter"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// A Path is a list of steps. The zero Path has none: it is the object itself.
// Paths are comparable. They may be part of facts.
type Path struct {
	// enc has the steps, one after the other. Each step begins with a byte that
	// occurs nowhere else, because names and keys are escaped.
	//
	//	Field   .name
	//	Elem    []
	//	Key     [=key]
	//	Pointer [:]
	//	Order   #
	//	Mark    ~ and a letter
	enc string
}

// A Kind is a kind of step.
type Kind uint8

const (
	_       Kind = iota // of a path without steps
	Field               // of a struct
	Elem                // any element of a sequence or map
	Key                 // the entry under a constant key
	Order               // the order of a sequence
	Mark                // a marker
	Pointer             // any key of a map, which is a pointer
)

// A Step leads from one place to another.
type Step struct {
	Kind   Kind
	Name   string // of a Field; the key of a Key
	Marker Marker // of a Mark
}

// A Marker is a step to a fact about an object. It leads to no part of the
// object's content.
type Marker uint8

const (
	// Opaque: the object escaped to code that the analysis does not see.
	Opaque Marker = iota
	// The object has owner references. ControllerOwner is the controller that
	// they refer to, and PlainOwner another owner. With UnknownOwners there are
	// references to unknown owners.
	ControllerOwner
	PlainOwner
	UnknownOwners
	// The kind, version, group and apiVersion that have been set on an
	// unstructured object.
	ObjectKind
	ObjectVersion
	ObjectGroup
	ObjectAPIVersion
	// Converted is the object that an unstructured one was converted from.
	Converted
	// RefersTo is the object that an owner reference refers to.
	RefersTo
	// Combiner is the function that makes one predicate of others. Combined are
	// the others. Chosen are further ones, of which it gets one.
	Combiner
	Combined
	Chosen
	// Found: the object was read from the API server, and was there.
	Found
	// CreatedLabels are the labels that the object gets if it has to be created, because
	// the API server has none.
	CreatedLabels
	// AskedName is the name that the object had when it was read.
	AskedName
	// LookedUp marks what the key depends on by which the object was looked up.
	LookedUp
)

var markerNames = [...]string{
	Opaque: "opaque", ControllerOwner: "controller", PlainOwner: "owner", UnknownOwners: "owners unknown",
	ObjectKind: "kind", ObjectVersion: "version", ObjectGroup: "group", ObjectAPIVersion: "apiVersion",
	Converted: "converted from", RefersTo: "refers to", Combiner: "combiner", Combined: "combined", Chosen: "chosen",
	Found: "found", CreatedLabels: "labels if created", AskedName: "name", LookedUp: "looked up",
}

func (m Marker) String() string { return markerNames[m] }

// IsKind reports whether the marker is part of an unstructured object's kind.
func (m Marker) IsKind() bool { return ObjectKind <= m && m <= ObjectAPIVersion }

// IsOwner reports whether the marker is about owner references.
func (m Marker) IsOwner() bool { return ControllerOwner <= m && m <= UnknownOwners }

const firstMarker = 'a' // the letter of marker 0

// marked has the encodings of the markers. Marked slices it, to avoid allocation.
const marked = "~a~b~c~d~e~f~g~h~i~j~k~l~m~n~o~p~q"

// Fields returns the path of these fields, outermost first.
func Fields(names ...string) Path {
	if len(names) == 1 {
		return Path{"." + escaped(names[0])}
	}
	var p Path
	for _, name := range names {
		p = p.Field(name)
	}
	return p
}

// Elems returns the path of any element of a sequence.
func Elems() Path { return Path{"[]"} }

// Entry returns the path of the entry of a map under a constant key.
func Entry(key string) Path { return Path{"[=" + escaped(key) + "]"} }

// Pointers returns the path of any key of a map whose keys are pointers.
func Pointers() Path { return Path{"[:]"} }

// Marked returns the path of one marker.
func Marked(m Marker) Path { return Path{marked[2*m : 2*m+2]} }

// Ordering returns the path of the order of a sequence.
func Ordering() Path { return Path{"#"} }

// Field returns the path of the field with this name under p.
func (p Path) Field(name string) Path { return Path{p.enc + "." + escaped(name)} }

// Elem returns the path of any element of the sequence at p.
func (p Path) Elem() Path { return p.Join(Elems()) }

// Mark returns the path of a marker of the object at p.
func (p Path) Mark(m Marker) Path { return p.Join(Marked(m)) }

// maxElems bounds the elements of elements. From there on they are one place with what
// encloses them: a value of any type may hold itself.
const maxElems = 3

// Join returns the path with the steps of p, then those of q.
func (p Path) Join(q Path) Path {
	joined := p.enc + q.enc
	if meetInElems(p, q) {
		most := strings.Repeat("[]", maxElems)
		for strings.Contains(joined, most+"[]") {
			joined = strings.Replace(joined, most+"[]", most, 1)
		}
	}
	return Path{joined}
}

// IsJoin reports whether p is q.Join(r), without allocating that path as a rule.
func (p Path) IsJoin(q, r Path) bool {
	if meetInElems(q, r) {
		return p == q.Join(r)
	}
	return len(p.enc) == len(q.enc)+len(r.enc) && strings.HasPrefix(p.enc, q.enc) && strings.HasSuffix(p.enc, r.enc)
}

// meetInElems reports whether p ends in elements, of which those are elements that q begins
// with.
func meetInElems(p, q Path) bool {
	return strings.HasSuffix(p.enc, "[]") && strings.HasPrefix(q.enc, "[]")
}

// IsRoot reports whether the path has no steps.
func (p Path) IsRoot() bool { return p.enc == "" }

// Parent returns the path without its last step. The parent of the zero Path is
// the zero Path.
func (p Path) Parent() Path { return Path{p.enc[:p.lastStep()]} }

// lastStep returns the offset of the last step in the encoding.
func (p Path) lastStep() int {
	for i := len(p.enc) - 1; i >= 0; i-- {
		if beginsStep(p.enc[i]) {
			return i
		}
	}
	return 0
}

// beginsStep reports whether the byte is the first one of a step.
func beginsStep(c byte) bool { return c == '.' || c == '[' || c == '#' || c == '~' }

// Within reports whether p is q or lies below it.
func (p Path) Within(q Path) bool {
	return strings.HasPrefix(p.enc, q.enc) && (len(p.enc) == len(q.enc) || beginsStep(p.enc[len(q.enc)]))
}

// Below returns the path from q to p, if p is q or lies below it.
func (p Path) Below(q Path) (rest Path, ok bool) {
	if !p.Within(q) {
		return Path{}, false
	}
	return Path{p.enc[len(q.enc):]}, true
}

// Cut returns the first step as a path, and the rest of the path.
func (p Path) Cut() (first, rest Path) {
	for i := 1; i < len(p.enc); i++ {
		if beginsStep(p.enc[i]) {
			return Path{p.enc[:i]}, Path{p.enc[i:]}
		}
	}
	return p, Path{}
}

// First returns the first step.
func (p Path) First() Step {
	first, _ := p.Cut()
	return first.step()
}

// Last returns the last step.
func (p Path) Last() Step { return Path{p.enc[p.lastStep():]}.step() }

// step returns the only step of the path.
func (p Path) step() Step {
	switch {
	case p.enc == "":
		return Step{}
	case p.enc[0] == '.':
		return Step{Kind: Field, Name: unescaped(p.enc[1:])}
	case p.enc[0] == '#':
		return Step{Kind: Order}
	case p.enc[0] == '~':
		return Step{Kind: Mark, Marker: Marker(p.enc[1] - firstMarker)}
	case p.enc == "[]":
		return Step{Kind: Elem}
	case p.enc == "[:]":
		return Step{Kind: Pointer}
	}
	return Step{Kind: Key, Name: unescaped(p.enc[2 : len(p.enc)-1])}
}

// Steps returns the steps, outermost first.
func (p Path) Steps() iter.Seq[Step] {
	return func(yield func(Step) bool) {
		for !p.IsRoot() {
			var first Path
			if first, p = p.Cut(); !yield(first.step()) {
				return
			}
		}
	}
}

// FirstField returns the name of the field that the path begins with, or "".
func (p Path) FirstField() string {
	if first := p.First(); first.Kind == Field {
		return first.Name
	}
	return ""
}

// LastField returns the name of the field that the path ends with, or "".
func (p Path) LastField() string {
	if last := p.Last(); last.Kind == Field {
		return last.Name
	}
	return ""
}

// IsOrder reports whether the path leads to the order of a sequence.
func (p Path) IsOrder() bool { return strings.HasSuffix(p.enc, "#") }

// Unordered returns the path of the sequence if p leads to an order, else p.
func (p Path) Unordered() Path { return Path{strings.TrimSuffix(p.enc, "#")} }

// HasElem reports whether the path stands for several places: the elements of a
// sequence, or the entries or keys of a map.
func (p Path) HasElem() bool { return strings.Contains(p.enc, "[]") || p.HasPointer() }

// AnyEntry returns the path with any entry in the place of each under a constant key.
func (p Path) AnyEntry() Path {
	for {
		from := strings.Index(p.enc, "[=")
		if from < 0 {
			return p
		}
		p.enc = p.enc[:from+1] + p.enc[from+strings.IndexByte(p.enc[from:], ']'):]
	}
}

// HasPointer reports whether the path goes through a key of a map.
func (p Path) HasPointer() bool { return strings.Contains(p.enc, "[:]") }

// HasIndex reports whether the path goes through elements, entries or keys.
func (p Path) HasIndex() bool { return strings.IndexByte(p.enc, '[') >= 0 }

// HasMarker reports whether the path leads to a marker.
func (p Path) HasMarker() bool { return strings.IndexByte(p.enc, '~') >= 0 }

// Len returns the length of the path's encoding. A path is longer than those that enclose it.
func (p Path) Len() int { return len(p.enc) }

// Depth returns the number of fields, elements, entries and keys in the path.
func (p Path) Depth() int { return strings.Count(p.enc, ".") + strings.Count(p.enc, "[") }

// Head returns the path up to and including n fields, with the elements of the
// last of them.
func (p Path) Head(n int) Path {
	for i := range len(p.enc) {
		if p.enc[i] == '.' {
			if n == 0 {
				return Path{p.enc[:i]}
			}
			n--
		}
	}
	return p
}

// Compare orders paths. A path comes before the paths below it.
func Compare(p, q Path) int { return strings.Compare(p.enc, q.enc) }

// Near returns the part of a list of paths, in order, that has p and those below
// it. It may have others, too.
func Near(sorted []Path, p Path) []Path {
	from, _ := slices.BinarySearchFunc(sorted, p, Compare)
	below := sorted[from:]
	n := sort.Search(len(below), func(i int) bool { return !strings.HasPrefix(below[i].enc, p.enc) })
	return below[:n]
}

// Keyed returns the part of a list of paths, in order, that has the entries under constant
// keys of the map at p, and what is below them.
func Keyed(sorted []Path, p Path) []Path { return Near(sorted, Path{p.enc + "[="}) }

// String returns the path as people write it: .Spec.Items["a.b"].Name.
func (p Path) String() string {
	var b strings.Builder
	for s := range p.Steps() {
		switch s.Kind {
		case Field:
			b.WriteString("." + s.Name)
		case Elem:
			b.WriteString("[]")
		case Pointer:
			b.WriteString("[key]")
		case Key:
			b.WriteString("[" + strconv.Quote(s.Name) + "]")
		case Order:
			b.WriteByte('#')
		case Mark:
			b.WriteString("~" + s.Marker.String())
		}
	}
	return b.String()
}

// GobEncode implements gob.GobEncoder.
func (p Path) GobEncode() ([]byte, error) { return []byte(p.enc), nil }

// GobDecode implements gob.GobDecoder.
func (p *Path) GobDecode(enc []byte) error {
	p.enc = string(enc)
	return nil
}

// special are the bytes that names and keys must not contain in the encoding.
const special = ".[]#~%"

// escaped returns the text with % and a letter for each special byte.
func escaped(text string) string {
	i := strings.IndexAny(text, special)
	if i < 0 {
		return text
	}
	b := []byte(text[:i])
	for ; i < len(text); i++ {
		if k := strings.IndexByte(special, text[i]); k >= 0 {
			b = append(b, '%', 'a'+byte(k))
		} else {
			b = append(b, text[i])
		}
	}
	return string(b)
}

// unescaped returns the text whose escaped form is enc.
func unescaped(enc string) string {
	if strings.IndexByte(enc, '%') < 0 {
		return enc
	}
	b := make([]byte, 0, len(enc))
	for i := 0; i < len(enc); i++ {
		if enc[i] == '%' {
			i++
			b = append(b, special[enc[i]-'a'])
		} else {
			b = append(b, enc[i])
		}
	}
	return string(b)
}
