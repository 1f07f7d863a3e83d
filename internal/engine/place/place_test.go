package place

import "testing"

func TestPlaces(t *testing.T) {
	t.Parallel()
	places := []Place{
		{},
		{"example.com/a/util.go", 9, 2},
		{"example.com/a/util.go", 9, 10},
		{"example.com/a/util.go", 12, 2},
		{"example.com/a/z.go", 1, 1},
		{"example.com/b/util.go", 9, 2},
	}
	for i, p := range places {
		for j, q := range places {
			if got := p.Compare(q); (got < 0) != (i < j) || (got == 0) != (i == j) {
				t.Errorf("%v compared with %v: %d", p, q, got)
			}
		}
	}
	if got := places[3].String(); got != "util.go:12" {
		t.Errorf("a place is shown as %q", got)
	}
}
