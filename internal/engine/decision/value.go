// Package decision is what engines share that interpret functions which decide about API
// objects: predicates, map functions, handlers. An engine interprets a function under one
// assumption about an object. It is a conditional constant propagation, which treats
// parts of the object as constants.
package decision

// A Value is an element of a flat lattice. Between bottom, the zero value, and top lie the
// constants and the parts that the engine tells apart.
type Value struct {
	Side Side
	Path string // the path to a part, or a constant's text
}

// A Side says what a value is, or is a part of.
type Side uint8

const (
	Bottom Side = iota // no path that computes the value has been seen yet
	Known              // a constant
	Top                // any value
	Other              // the first side of the engine's own
)

// Values of any engine.
var (
	No      = Value{Known, "false"}
	Yes     = Value{Known, "true"}
	Nil     = Value{Known, "nil"}
	Unknown = Value{Side: Top}
)

// Bool returns the value of a boolean.
func Bool(b bool) Value {
	if b {
		return Yes
	}
	return No
}

// Not returns the negation.
func (v Value) Not() Value {
	switch {
	case v == No:
		return Yes
	case v == Yes:
		return No
	case v.Side == Bottom:
		return v
	}
	return Unknown
}

// Join returns the least upper bound.
func (v Value) Join(w Value) Value {
	switch {
	case v.Side == Bottom:
		return w
	case w.Side == Bottom || v == w:
		return v
	}
	return Unknown
}
