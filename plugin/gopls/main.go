// Gopls builds a gopls, the language server of the Go project, that has the
// rules of operatorvet among its analyzers. In a clone of operatorvet:
//
//	go run ./plugin/gopls -o ~/go/bin/gopls-operatorvet
//
// or without one:
//
//	go run github.com/operatorvet/operatorvet/plugin/gopls@latest -o ~/go/bin/gopls-operatorvet
//
// Without -version it builds the newest gopls that it knows for the Go version
// that is installed. docs/editors.md says how to make editors use it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run runs the command. It returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("plugin/gopls", flag.ContinueOnError)
	flags.SetOutput(stderr)
	output := flags.String("o", "", "write the gopls to this `file`")
	version := flags.String("version", "", "build this `version` of gopls: "+list(releases))
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	case *output == "" || flags.NArg() > 0:
		fmt.Fprintln(stderr, "plugin/gopls: usage: plugin/gopls -o FILE [-version VERSION]")
		return 2
	}
	built, err := build(ctx, *version, *output, stderr)
	if err != nil {
		fmt.Fprintf(stderr, "plugin/gopls: %v\n", err)
		return 1
	}
	fmt.Fprintf(stdout, "%s is gopls %s\n", *output, built)
	return 0
}
