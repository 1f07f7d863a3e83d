// Package config answers which options hold for a package.
//
// They come from three places, each more specific than the one before: the
// defaults, the file .operatorvet.yaml next to the package or in a directory
// above it, and what the user told the driver (flags, golangci-lint settings).
// Rules and engines get the outcome from package rule.
package config

import (
	"time"

	"github.com/operatorvet/operatorvet/internal/library"
)

// Options are what users can choose.
type Options struct {
	// Off are the rules that are switched off.
	Off map[string]bool

	// MaxWait is the longest wait, known as a constant, that ctxloop lets pass
	// without asking whether the context is done.
	MaxWait time.Duration

	// IgnoreKinds are the kinds that missingwatch says nothing about.
	IgnoreKinds []library.GroupKind

	// IgnoreFields are the fields that unstablewrite says nothing about.
	IgnoreFields []Field

	// Waits, Writes and Owners are functions that wait, that write an object to
	// the cluster, and that make an object another one's controller, where their
	// code does not show it.
	Waits, Writes, Owners Functions
}

// Functions is a set of functions, by their library.Name.
type Functions map[string]bool

// Default returns the options of a user who chooses nothing.
func Default() *Options {
	return &Options{
		Off:     make(map[string]bool),
		MaxWait: time.Second,
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
