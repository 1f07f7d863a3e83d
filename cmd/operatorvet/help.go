package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"go/doc/comment"
	"io"
	"os"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/internal/rules/config"
)

// usage writes the output of -h.
func usage(w io.Writer, suite []*analysis.Analyzer) {
	fmt.Fprint(w, `operatorvet finds bugs in Kubernetes operators that appear only in a cluster.

Usage:
	operatorvet [flags] [packages]
	operatorvet help [RULE]
	operatorvet cache [clear]
	operatorvet explain [flags] RULE FILE.go:LINE [packages]
	operatorvet map [flags] [packages]
	operatorvet debug [flags] [packages]   (for people who work on rules)
	go vet -vettool=$(which operatorvet) [packages]

Packages are patterns of the go command; the default is ./... .

Rules:
`)
	list(w, suite)
	fmt.Fprint(w, "\nFlags:\n")
	fs, _ := flags()
	var choices strings.Builder
	fs.VisitAll(func(f *flag.Flag) {
		if strings.Contains(f.Name, ".") {
			name, text := describe(f)
			fmt.Fprintf(&choices, "\t%s\n\t\t%s\n", name, text)
			return
		}
		writeFlag(w, f)
	})
	fmt.Fprintf(w, `
Options, which a file %s can set, too; see docs/options.md:
%s
Results are kept for later runs in the user's cache directory, or in the
directory that OPERATORVET_CACHE names. OPERATORVET_CACHE=off keeps none.
operatorvet cache shows the directory and its size, and operatorvet cache
clear empties it.

To suppress a finding, write a comment on its line or on the line above:
	//operatorvet:ignore RULE reason

Exit codes, whatever the format:
	0	no findings
	1	something could not be analysed, and standard error says what; all
		findings elsewhere are printed
	2	the command line is wrong
	3	findings, or a baseline with entries that are no longer found; with -fix,
		findings that are left
`, config.FileName, choices.String())
}

// writeFlag writes the description of a flag.
func writeFlag(w io.Writer, f *flag.Flag) {
	name, text := describe(f)
	text = strings.ReplaceAll(text, "\n", "\n\t"+strings.Repeat(" ", 16))
	fmt.Fprintf(w, "\t%-15s %s\n", name, text)
}

// describe returns a flag with its argument, and its purpose.
func describe(f *flag.Flag) (name, text string) {
	arg, text := flag.UnquoteUsage(f)
	if f.DefValue != "" && f.DefValue != "false" {
		text += fmt.Sprintf(" (default %s)", f.DefValue)
	}
	return strings.TrimSpace("-" + f.Name + " " + arg), text
}

// runHelp writes a rule's page or an overview. It returns the exit code.
func runHelp(_ context.Context, args []string, suite []*analysis.Analyzer, stdout, stderr *os.File) int {
	return done(help(stdout, suite, args), stderr)
}

// done returns the exit code of a command that ends with err, and writes that.
func done(err error, stderr *os.File) int {
	if err != nil {
		fmt.Fprintf(stderr, "operatorvet: %v\n", err)
		return exitUsage
	}
	return exitClean
}

// help writes the pages of the rules named in args, or an overview.
func help(w io.Writer, suite []*analysis.Analyzer, args []string) error {
	switch len(args) {
	case 0:
		usage(w, suite)
		return nil
	case 1:
	default:
		return errors.New("help shows one rule at a time; see operatorvet -h")
	}
	rule := byName(suite, args[0])
	if rule == nil {
		return unknownRule(suite, args[0])
	}
	page := new(comment.Parser).Parse(rule.Name + ": " + rule.Doc)
	if _, err := w.Write((&comment.Printer{}).Text(page)); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s\n", rule.URL)
	return err
}

// list writes a line for each rule.
func list(w io.Writer, suite []*analysis.Analyzer) {
	for _, rule := range suite {
		title, _, _ := strings.Cut(rule.Doc, "\n")
		fmt.Fprintf(w, "\t%-14s %s\n", rule.Name, title)
	}
}
