package flow

import (
	"maps"
	"math/rand/v2"
	"testing"
)

// TestObjectMap compares maps that share parts with Go's maps.
func TestObjectMap(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	objs := make([]*object, 60)
	for i := range objs {
		objs[i] = &object{id: []int{i, -1 - i, 1<<20 + i}[i%3]}
	}
	type pair struct{ m, n *cells }
	for range 2_000 {
		m, want := (*objectMap)(nil), make(map[*object]*cells)
		other, otherWant := m, maps.Clone(want)
		for range random.IntN(80) {
			o, c := objs[random.IntN(len(objs))], new(cells)
			m = m.with(o, c)
			want[o] = c
			switch random.IntN(8) {
			case 0:
				other, otherWant = m, maps.Clone(want)
			case 1:
				gone := objs[random.IntN(len(objs))]
				m = m.filter(func(o *object) bool { return o != gone })
				delete(want, gone)
			}
		}
		got := make(map[*object]*cells)
		m.all(func(o *object, c *cells) bool { got[o] = c; return true })
		if !maps.Equal(got, want) {
			t.Fatalf("the map has %v, want %v", got, want)
		}
		wantDiff := make(map[*object]pair)
		for _, o := range objs {
			if m.get(o) != want[o] {
				t.Fatalf("object %d has %p, want %p", o.id, m.get(o), want[o])
			}
			if want[o] != otherWant[o] {
				wantDiff[o] = pair{want[o], otherWant[o]}
			}
		}
		gotDiff := make(map[*object]pair)
		diff(m, other, func(o *object, mc, nc *cells) bool { gotDiff[o] = pair{mc, nc}; return true })
		if !maps.Equal(gotDiff, wantDiff) {
			t.Fatalf("they differ in %v, want %v", gotDiff, wantDiff)
		}
		if same := m.filter(func(*object) bool { return true }); same != m {
			t.Fatal("a filter that keeps all makes another map")
		}
	}
}
