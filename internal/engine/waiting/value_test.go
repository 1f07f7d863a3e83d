package waiting

import "testing"

// TestJoinIsLeastUpperBound checks the laws that the fixpoint relies on.
func TestJoinIsLeastUpperBound(t *testing.T) {
	t.Parallel()
	for v := Unreached; v <= Unknown; v++ {
		if v.join(v) != v || v.join(Unreached) != v || v.join(Unknown) != Unknown {
			t.Errorf("join of %d with itself, bottom or top is wrong", v)
		}
		for w := Unreached; w <= Unknown; w++ {
			if v.join(w) != w.join(v) {
				t.Errorf("join(%d, %d) depends on the order", v, w)
			}
			if u := v.join(w); u.join(v) != u || u.join(w) != u {
				t.Errorf("join(%d, %d) = %d is no upper bound", v, w, u)
			}
			for x := Unreached; x <= Unknown; x++ {
				if v.join(w).join(x) != v.join(w.join(x)) {
					t.Errorf("join(%d, %d, %d) depends on the grouping", v, w, x)
				}
			}
		}
	}
}

func TestPausesOfBackoff(t *testing.T) {
	t.Parallel()
	const ms = 1e6
	for _, test := range []struct {
		name           string
		b              backoff
		total, longest int64
	}{
		{"one step does not wait", backoff{steps: 1, duration: 10 * ms}, 0, 0},
		{"constant", backoff{steps: 5, duration: 10 * ms, factor: 1}, 40 * ms, 10 * ms},
		{"no factor means constant", backoff{steps: 3, duration: 10 * ms}, 20 * ms, 10 * ms},
		{"growing", backoff{steps: 4, duration: 10 * ms, factor: 5}, 310 * ms, 250 * ms},
		{"ends at the cap", backoff{steps: 100, duration: 10 * ms, factor: 2, cap: 50 * ms}, 70 * ms, 40 * ms},
	} {
		total, longest := test.b.pauses()
		if int64(total) != test.total || int64(longest) != test.longest {
			t.Errorf("%s: pauses() = %v, %v, want %d, %d", test.name, total, longest, test.total, test.longest)
		}
	}
}
