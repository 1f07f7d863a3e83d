// Package controller models the controllers that a package registers. A [Controller]
// says which reconciler it calls, what it watches, and what the reconciler's call tree
// writes.
//
// The model is built from the events of package flow. Calls belong to one builder if
// their receiver is the same abstract object. A handler, a source or a client among the
// arguments is known by the call that made it. What is not understood is marked: a
// controller is Open, a write has no Kind. Rules are silent about it.
package controller
