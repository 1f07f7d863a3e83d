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
	for _, tt := range []struct{ message, module, dir, want string }{
		{"waits (" + places[3].Full() + ")", "example.com/a", "", "waits (util.go:12)"},
		{places[3].Full(), "example.com/a", "x/", "x/util.go:12"},
		{"at example.com/a/b/c.go:1, example.com/ab/c.go:2", "example.com/a", "", "at b/c.go:1, example.com/ab/c.go:2"},
		{"(k8s.io/operator/x.go:1) (operator/x.go:1)", "operator", "", "(k8s.io/operator/x.go:1) (x.go:1)"},
	} {
		if got := Shorten(tt.message, tt.module, tt.dir); got != tt.want {
			t.Errorf("%q becomes %q, want %q", tt.message, got, tt.want)
		}
	}
	if got := places[3].String(); got != "util.go:12" {
		t.Errorf("a place is shown as %q", got)
	}
}
