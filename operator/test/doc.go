// Package test shows on a real API server what the operator promises. The
// operator runs as the process that a user would run, under the role in
// config/rbac and as nobody else; the tests look at it from outside, through the
// API, the API server's audit log, and the pods' drain end points.
//
// Limits are generous: they tell slow from never. How fast it is, is measured by
// make measure.
package test
