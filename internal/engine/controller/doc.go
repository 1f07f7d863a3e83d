// Package controller models the controllers of a package: which reconciler a
// builder is completed with, what wakes it, and what its call tree writes.
//
// The model is read off the events of package flow. A builder's calls belong
// together because their receiver is one object; a handler, a source or a
// client among the arguments is known by the call that made it. Whatever is not
// understood is marked as such (a controller is Open, a write has no Kind), so
// that rules can be silent about it.
package controller
