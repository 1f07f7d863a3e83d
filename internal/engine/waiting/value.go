package waiting

// A Value is what is known in a [World] of an error, a boolean or a pointer. It is an
// element of a small lattice:
//
//	                 Unknown
//	      /      /      |      \     \
//	Cancelled   Nil    True   False  Flag
//	    |        |      |       |     |
//	  NonNil     |      |       |     |
//	    |        |      |       |     |
//	Permanent    |      |       |     |
//	      \      \      |      /     /
//	                Unreached
//
// Cancelled is above NonNil so that the analysis stays silent: a function that returns
// either of them is assumed to fail because of the context.
type Value uint8

const (
	// Unreached is the bottom: no path that computes the value has been seen yet.
	Unreached Value = iota
	// Permanent is an error after which a retry library gives up.
	Permanent
	// NonNil is any error or pointer that is not nil.
	NonNil
	// Cancelled is an error that is not nil because a context is done.
	Cancelled
	Nil
	True
	False
	// Flag is a boolean that another goroutine sets, presumably to stop this one. A
	// branch on it takes the edge that ends the loop.
	Flag
	// Unknown is the top.
	Unknown
)

// join is the least upper bound.
func (v Value) join(w Value) Value {
	switch {
	case v == w || w == Unreached:
		return v
	case v == Unreached:
		return w
	case v.nonNil() && w.nonNil():
		return max(v, w)
	}
	return Unknown
}

func (v Value) nonNil() bool { return v == Cancelled || v == Permanent || v == NonNil }

func (v Value) not() Value {
	switch v {
	case True:
		return False
	case False:
		return True
	}
	return v
}

func boolean(b bool) Value {
	if b {
		return True
	}
	return False
}

// Values are the results of a call.
type Values []Value

// at returns the i-th value, Unknown where there is none.
func (vs Values) at(i int) Value {
	if i < len(vs) {
		return vs[i]
	}
	return Unknown
}

// join joins element by element. A nil receiver is the bottom, a nil argument the top.
func (vs Values) join(ws Values, n int) Values {
	out := make(Values, n)
	for i := range out {
		out[i] = ws.at(i)
		if vs != nil {
			out[i] = vs[i].join(out[i])
		}
	}
	return out
}

// informative reports whether any of the values is known.
func (vs Values) informative() bool {
	for _, v := range vs {
		if v != Unknown && v != Unreached {
			return true
		}
	}
	return false
}
