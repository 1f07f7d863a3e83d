// Field measures what operatorvet's findings are worth in public operators.
//
//	go run ./field mutate -C MODULE  # take protective code out, and see whether operatorvet notices
//	go run ./field compare -clones DIR  # run the rules on operators, and print the difference to the verdicts
//	go run ./field judge FILE...        # put verdicts from files into the data
//	go run ./field docs                 # write docs/field.md from the data
//
// Records of what it measures are in field/data. See docs/field.md.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

// Exit codes.
const (
	exitFailure = 1
	exitUsage   = 2
	exitLost    = 3 // compare: findings that are true are no longer reported
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	var usage usageError
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return
	case errors.As(err, &usage):
		fmt.Fprintf(os.Stderr, "field: %v\n", err)
		os.Exit(exitUsage)
	case errors.Is(err, errLost):
		fmt.Fprintf(os.Stderr, "field: %v\n", err)
		os.Exit(exitLost)
	}
	fmt.Fprintf(os.Stderr, "field: %v\n", err)
	os.Exit(exitFailure)
}

// usageError is an error in the command line.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

func run(ctx context.Context, args []string) error {
	commands := []struct {
		name string
		run  func(context.Context, []string) error
	}{
		{"mutate", mutate},
		{"compare", compare},
		{"judge", judge},
		{"docs", docs},
	}
	var names []string
	for _, c := range commands {
		if len(args) > 0 && args[0] == c.name {
			return c.run(ctx, args[1:])
		}
		names = append(names, c.name)
	}
	return usagef("want a command: %s", strings.Join(names, ", "))
}

// parse parses the flags of a command, which takes no arguments.
func parse(flags *flag.FlagSet, args []string) error {
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return err
	} else if err != nil {
		return usageError{err}
	}
	if flags.NArg() > 0 {
		return usagef("%s takes no arguments, only flags: %s", flags.Name(), flags.Arg(0))
	}
	return nil
}
