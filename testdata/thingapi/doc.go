// Package thingapi is the small API group that the fixtures' operators manage.
//
// Thing is the primary kind; Part is a second kind of the same group, for
// controllers that create or watch custom resources.
package thingapi
