// Package ctxloop reports retry and poll loops that do not observe cancellation.
//
// # Analyzer ctxloop
//
// ctxloop: report retry and poll loops that do not observe cancellation
package ctxloop
