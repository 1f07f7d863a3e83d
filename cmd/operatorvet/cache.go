package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/internal/run/cache"
)

// runCache shows or clears the results that are kept for later runs. It returns the exit
// code.
func runCache(_ context.Context, args []string, _ []*analysis.Analyzer, stdout, stderr *os.File) int {
	return done(showCache(args, stdout), stderr)
}

func showCache(args []string, w io.Writer) error {
	if len(args) > 1 || len(args) == 1 && args[0] != "clear" {
		return errors.New("cache has no arguments but clear; see operatorvet -h")
	}
	dir := cache.Dir()
	if dir == "" {
		fmt.Fprintf(w, "no directory: %s=off, or the user has no cache directory\n", cache.Variable)
		return nil
	}
	if len(args) == 1 {
		return cache.Clear(dir)
	}
	s, err := cache.StatsOf(dir)
	if err != nil {
		return err
	}
	entries := fmt.Sprintf("%d entries", s.Entries)
	if s.Entries == 1 {
		entries = "1 entry"
	}
	fmt.Fprintf(w, "%s: %s, %.1f of at most %d MiB\n", dir, entries, float64(s.Size)/(1<<20), cache.MaxSize>>20)
	return nil
}
