package access

import (
	"bytes"
	"encoding/gob"
	"slices"
	"testing"
)

func TestString(t *testing.T) {
	t.Parallel()
	tests := []struct {
		path Path
		want string
	}{
		{Path{}, ""},
		{Fields("Spec", "Template"), ".Spec.Template"},
		{Fields("Items").Elem().Field("Name"), ".Items[].Name"},
		{Fields("Data").Join(Entry("a.b")), `.Data["a.b"]`},
		{Fields("Data").Join(Entry(`"`)), `.Data["\""]`},
		{Elems().Join(Ordering()), "[]#"},
		{Fields("Pods").Join(Pointers()).Field("Name"), ".Pods[key].Name"},
		{Fields("ObjectMeta").Mark(Opaque), ".ObjectMeta~opaque"},
		{Marked(ControllerOwner), "~controller"},
	}
	for _, tt := range tests {
		if got := tt.path.String(); got != tt.want {
			t.Errorf("path is %q, want %q", got, tt.want)
		}
	}
}

// TestKeysAreKeptApart checks that different keys make different paths, whatever
// the keys contain.
func TestKeysAreKeptApart(t *testing.T) {
	t.Parallel()
	keys := []string{":", "[:]", "a.b", "a\u2024b", "a[b", "a(b", "a]b", "a)b", "a#b", "a+b", "a~b", "a-b", "a%b", "a%ab", "", "=", "[]", "%", "%a"}
	seen := map[Path]string{Elems(): "any element", Pointers(): "any key that is a pointer"}
	for _, key := range keys {
		p := Entry(key)
		if other, ok := seen[p]; ok {
			t.Errorf("the keys %q and %q have one path", key, other)
		}
		seen[p] = key
		if got := p.Last(); got != (Step{Kind: Key, Name: key}) {
			t.Errorf("key %q came back as %+v", key, got)
		}
	}
}

func TestWithin(t *testing.T) {
	t.Parallel()
	spec := Fields("Spec")
	for p, want := range map[Path]bool{
		spec:                  true,
		spec.Field("A"):       true,
		spec.Elem():           true,
		spec.Join(Entry("k")): true,
		spec.Join(Ordering()): true,
		spec.Mark(Opaque):     true,
		Fields("Specs"):       false,
		Fields("Spec.A"):      false, // one field of an odd name
		{}:                    false,
		Elems().Field("Spec"): false,
	} {
		if got := p.Within(spec); got != want {
			t.Errorf("%v within %v: %v, want %v", p, spec, got, want)
		}
	}
}

func TestAnyEntry(t *testing.T) {
	p := Fields("Data").Join(Entry("a.]b")).Field("X").Join(Entry("c"))
	if got, want := p.AnyEntry(), Fields("Data").Elem().Field("X").Elem(); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := Fields("Data").AnyEntry(); got != Fields("Data") {
		t.Errorf("got %v of a path without entries", got)
	}
	sorted := []Path{Fields("Data"), Fields("Data").Elem(), Fields("Data").Join(Entry("a")), Fields("Data").Join(Entry("b")), Fields("Labels")}
	slices.SortFunc(sorted, Compare)
	if got := Keyed(sorted, Fields("Data")); len(got) != 2 {
		t.Errorf("got %v, want the two entries", got)
	}
}

func TestHead(t *testing.T) {
	t.Parallel()
	p := Elems().Field("A").Elem().Field("B").Join(Entry("k")).Field("C")
	for n, want := range []Path{Elems(), Elems().Field("A").Elem(), Elems().Field("A").Elem().Field("B").Join(Entry("k")), p, p} {
		if got := p.Head(n); got != want {
			t.Errorf("%d fields of %v: %v, want %v", n, p, got, want)
		}
	}
}

func TestGob(t *testing.T) {
	t.Parallel()
	type fact struct{ Paths []Path }
	in := fact{[]Path{{}, Fields("Data").Join(Entry("a.b")), Marked(Combined), Fields("Items").Join(Ordering())}}
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(in); err != nil {
		t.Fatal(err)
	}
	var out fact
	if err := gob.NewDecoder(&buf).Decode(&out); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(in.Paths, out.Paths) {
		t.Errorf("%v came back as %v", in.Paths, out.Paths)
	}
}

// FuzzPath makes a path of the steps in the data and checks its laws.
func FuzzPath(f *testing.F) {
	f.Add([]byte("\x00Spec\x00Template\x01"), []byte("\x02a.b"))
	f.Add([]byte("\x02a%\x02[]\x03"), []byte("\x04\x00.#~"))
	f.Fuzz(func(t *testing.T, x, y []byte) {
		steps, below := stepsOf(x), stepsOf(y)
		p, rest := pathOf(steps), pathOf(below)
		if got := slices.Collect(p.Steps()); !slices.Equal(got, steps) {
			t.Fatalf("the steps of %v are %v, want %v", p, got, steps)
		}
		q := p.Join(rest)
		if got := slices.Collect(q.Steps()); !slices.Equal(got, slices.Concat(steps, below)) {
			t.Errorf("the steps of %v are %v", q, got)
		}
		if got, ok := q.Below(p); !ok || got != rest || !q.Within(p) || !q.IsJoin(p, rest) {
			t.Errorf("below %v, %v is %v, want %v", p, q, got, rest)
		}
		// A path is within another if and only if it begins with its steps.
		if got, want := p.Within(rest), len(steps) >= len(below) && slices.Equal(steps[:len(below)], below); got != want {
			t.Errorf("%v within %v: %v, want %v", p, rest, got, want)
		}
		if (p == rest) != slices.Equal(steps, below) {
			t.Errorf("%v and %v: equal is %v", p, rest, p == rest)
		}
		if len(steps) == 0 {
			return
		}
		last := len(steps) - 1
		if p.Parent() != pathOf(steps[:last]) || p.Last() != steps[last] || p.First() != steps[0] {
			t.Errorf("%v has the parent %v, the steps %v and %v at its ends", p, p.Parent(), p.First(), p.Last())
		}
		if first, tail := p.Cut(); first.Join(tail) != p || first != pathOf(steps[:1]) {
			t.Errorf("%v is cut into %v and %v", p, first, tail)
		}
		if Compare(p.Parent(), p) >= 0 {
			t.Errorf("%v is not in front of %v", p.Parent(), p)
		}
	})
}

// stepsOf reads steps: a byte for the kind, and text up to the next such byte.
func stepsOf(data []byte) []Step {
	var steps []Step
	for i := 0; i < len(data); {
		kind := Kind(data[i])%6 + 1
		i++
		start := i
		for i < len(data) && data[i] >= 6 {
			i++
		}
		s := Step{Kind: kind}
		switch kind {
		case Field, Key:
			s.Name = string(data[start:i])
		case Mark:
			s.Marker = Marker(start % len(markerNames))
		}
		steps = append(steps, s)
	}
	return steps
}

func pathOf(steps []Step) Path {
	var p Path
	for _, s := range steps {
		switch s.Kind {
		case Field:
			p = p.Field(s.Name)
		case Elem:
			p = p.Elem()
		case Key:
			p = p.Join(Entry(s.Name))
		case Pointer:
			p = p.Join(Pointers())
		case Order:
			p = p.Join(Ordering())
		case Mark:
			p = p.Mark(s.Marker)
		}
	}
	return p
}

// TestJoinIsBounded checks that elements of elements do not go on without end.
func TestJoinIsBounded(t *testing.T) {
	t.Parallel()
	p, names := Path{}, Fields("Names")
	for range 10 {
		p = p.Elem()
		if q := names.Join(p); !q.IsJoin(names, p) || q.Depth() != 1+p.Depth() {
			t.Errorf("%v under %v is %v", p, names, q)
		}
	}
	if p.Depth() != maxElems {
		t.Errorf("ten times an element is %v", p)
	}
	for _, q := range []Path{Elems(), Elems().Join(p), Elems().Join(names)} {
		joined := p.Join(q)
		if !joined.IsJoin(p, q) || joined.Join(Elems()).Depth() > maxElems+2 || !joined.Within(p) {
			t.Errorf("%v and %v are %v", p, q, joined)
		}
	}
}
