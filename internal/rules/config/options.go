// Package config answers which options apply to a package.
//
// Options come from three sources, each more specific than the one before: the
// defaults, the file .operatorvet.yaml next to the package or in a directory
// above it, and the settings of the driver (flags, golangci-lint settings).
// Package rule gives the result to rules and engines.
package config

import (
	"time"

	"github.com/operatorvet/operatorvet/internal/library"
)

// Options are what users can choose.
type Options struct {
	// Off has the rules that are switched off.
	Off map[string]bool

	// MaxWait is the longest constant wait that ctxloop accepts without checking
	// whether it observes the context.
	MaxWait time.Duration

	// IgnoreKinds has the kinds that missingwatch does not report.
	IgnoreKinds []library.GroupKind

	// IgnoreFields has the fields that unstablewrite does not report.
	IgnoreFields []Field

	// Waits, Writes and Owners have functions that wait, that write an object to
	// the cluster, and that make an object the controller of another one, where
	// their code does not show it.
	Waits, Writes, Owners Functions

	// Mentions says where the options name these functions.
	Mentions []Mention
}

// Functions is a set of functions, by their library.Name.
type Functions map[string]bool

// Default returns the default options.
func Default() *Options {
	return &Options{
		Off:     make(map[string]bool),
		MaxWait: 5 * time.Second,
	}
}

// Rules are the names of the rules.
var Rules = [...]string{
	"blindpredicate",
	"ctxloop",
	"deadcleanup",
	"directive",
	"missingwatch",
	"unstablewrite",
}
