package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/operatorvet/operatorvet/field/internal/lint"
	"github.com/operatorvet/operatorvet/field/internal/record"
)

// dataDir is the directory of the verdicts, from the root of this repository.
const dataDir = "field/data"

// errLost is the error of a comparison that exits with exitLost.
var errLost = errors.New("true findings are lost")

// comparing has the options of the command compare.
type comparing struct {
	trees
	operators, set string
	parallel       int
	binary         string
	at             string
	data           string
	fresh          string
	record         bool
}

// compare runs the rules on operators, and prints the difference to the
// verdicts.
func compare(ctx context.Context, args []string) error {
	var o comparing
	flags := flag.NewFlagSet("compare", flag.ContinueOnError)
	flags.StringVar(&o.clones, "clones", "", "`directory` with clones OWNER+NAME or NAME, bare or not")
	flags.StringVar(&o.laid, "trees", "", "`directory` with trees OWNER+NAME or NAME that are laid out already, instead of clones")
	flags.StringVar(&o.overlay, "overlay", "", "`directory` with files OWNER+NAME/… to put over trees made from clones; the verdicts say which modules need some")
	flags.StringVar(&o.operators, "operators", "", "compare these `operators` only: owner/name or name, separated by commas")
	flags.StringVar(&o.set, "set", "", "compare the operators of this `set` only: practice, round1, …")
	flags.IntVar(&o.parallel, "parallel", 1, "analyse `n` modules at a time")
	flags.StringVar(&o.binary, "binary", "", "operatorvet `program` (default: built from this repository)")
	flags.StringVar(&o.at, "at", "", "`commit` of operatorvet, for records (default: that of this repository)")
	flags.StringVar(&o.data, "data", dataDir, "`directory` of the verdicts")
	flags.StringVar(&o.fresh, "new", "", "write the findings without a verdict to this `file`, not to standard output; fill in verdict, reason and cause, and then: judge FILE")
	flags.BoolVar(&o.record, "record", false, "record in the verdicts which findings are still reported")
	if err := parse(flags, args); err != nil {
		return err
	}
	if (o.clones == "") == (o.laid == "") {
		return usagef("want -clones or -trees, and not both")
	}
	return o.run(ctx, os.Stdout)
}

// chosen returns the operators to compare.
func (o *comparing) chosen(all []record.Operator) ([]record.Operator, error) {
	some := slices.DeleteFunc(slices.Clone(all), func(op record.Operator) bool {
		return op.Aggregate != nil || o.set != "" && op.Set != o.set
	})
	if o.operators == "" {
		if len(some) == 0 {
			return nil, usagef("-set: no operators in %q", o.set)
		}
		return some, nil
	}
	var named []record.Operator
	for name := range strings.SplitSeq(o.operators, ",") {
		before := len(named)
		for _, op := range some {
			if op.Operator == name || slices.Contains(treeNames(op.Operator), name) {
				named = append(named, op)
			}
		}
		if len(named) == before {
			return nil, usagef("-operators: no operator %q in the verdicts", name)
		}
	}
	return named, nil
}

func (o *comparing) run(ctx context.Context, out io.Writer) error {
	all, err := record.Read(o.data)
	if err != nil {
		return err
	}
	operators, err := o.chosen(all.Operators)
	if err != nil {
		return err
	}
	if o.at, err = commitOf(ctx, o.binary, o.at); err != nil {
		return err
	}
	if o.work, err = os.MkdirTemp("", "operatorvet-compare-"); err != nil {
		return err
	}
	defer os.RemoveAll(o.work)
	command, err := newCommand(ctx, o.binary, o.work)
	if err != nil {
		return err
	}
	command.Cache = "" // nothing is analysed twice
	c := &comparison{at: o.at, now: slices.Clone(all.Findings)}
	for _, op := range operators {
		fmt.Fprintln(os.Stderr, op.Operator, op.Commit)
		tree, err := o.of(ctx, op)
		if err != nil {
			c.passOver(op.Operator, ".", err)
			continue
		}
		c.add(op, modulesOf(all.Modules, op.Operator), o.analyse(ctx, command, tree, modulesOf(all.Modules, op.Operator)))
		if err := ctx.Err(); err != nil {
			return err
		}
		if o.laid == "" {
			os.RemoveAll(tree) // many trees are large
		}
	}
	if err := c.print(out, o.fresh); err != nil {
		return err
	}
	if o.record {
		all.Findings = c.now
		for i, op := range all.Operators {
			if slices.Contains(c.whole, op) {
				all.Operators[i].At = o.at
			}
		}
		if err := all.Write(o.data); err != nil {
			return err
		}
	}
	if len(c.lost) > 0 {
		return fmt.Errorf("%w: %d", errLost, len(c.lost))
	}
	return nil
}

func modulesOf(all []record.Module, operator string) []record.Module {
	of := slices.DeleteFunc(slices.Clone(all), func(m record.Module) bool { return m.Operator != operator })
	if len(of) == 0 {
		return []record.Module{{Operator: operator, Dir: "."}}
	}
	return of
}

// analysed is what a run says about a module.
type analysed struct {
	*lint.Result
	err error
}

// analyse runs the rules on the modules of an operator.
func (o *comparing) analyse(ctx context.Context, command lint.Command, tree string, modules []record.Module) []analysed {
	results := make([]analysed, len(modules))
	var wg sync.WaitGroup
	limit := make(chan struct{}, max(o.parallel, 1))
	for i, m := range modules {
		limit <- struct{}{}
		wg.Go(func() {
			defer func() { <-limit }()
			dir := filepath.Join(tree, filepath.FromSlash(m.Dir))
			results[i].Result, results[i].err = command.Run(ctx, dir, "GOFLAGS="+m.GOFLAGS, "GOWORK=off")
		})
	}
	wg.Wait()
	return results
}

// comparison compares findings with the verdicts about them.
type comparison struct {
	at  string
	now []record.Finding // the verdicts, with what is reported now

	same, lost, gone, back []record.Finding  // still there; true, and false ones no longer reported; not reported last time
	fresh                  []record.Finding  // without a verdict
	notes                  []string          // about modules that could not be compared, or not all of them
	compared               int               // modules
	whole                  []record.Operator // of which all modules were
}

func (c *comparison) passOver(operator, module string, err error) {
	line, _, _ := strings.Cut(err.Error(), "\n")
	c.notes = append(c.notes, fmt.Sprintf("not compared: %s, module %s: %s", operator, module, line))
}

// add compares the findings in an operator.
func (c *comparison) add(op record.Operator, modules []record.Module, results []analysed) {
	whole := true
	for i, m := range modules {
		var known []*record.Finding
		for i := range c.now {
			if f := &c.now[i]; f.Operator == op.Operator && f.Commit == op.Commit && f.Module == m.Dir {
				known = append(known, f)
			}
		}
		res := results[i]
		switch {
		case res.err != nil:
			c.passOver(op.Operator, m.Dir, res.err)
			whole = false
			continue
		case len(res.Failures) > 0 && len(res.Findings) == 0 && len(known) > 0:
			c.passOver(op.Operator, m.Dir, errors.New(res.Failures[0]))
			whole = false
			continue
		}
		for _, line := range res.Failures {
			c.notes = append(c.notes, fmt.Sprintf("in part: %s, module %s: %s", op.Operator, m.Dir, line))
		}
		for _, f := range res.Partial {
			c.notes = append(c.notes, fmt.Sprintf("partial: %s, module %s: %s:%d: %s", op.Operator, m.Dir, f.File, f.Line, f.Message))
		}
		c.compared++
		c.module(res.Findings, known, record.Finding{Operator: op.Operator, Commit: op.Commit, Module: m.Dir, Found: true, At: c.at})
	}
	if whole {
		c.whole = append(c.whole, op)
	}
}

// module compares the findings in a module. A finding is a known one if it has
// the same rule, file, line and subject: the code is the same, and its message
// may have been reworded. If a rule reports another place in the file, the
// message decides.
func (c *comparison) module(found []lint.Finding, known []*record.Finding, about record.Finding) {
	match := func(same func(lint.Finding, *record.Finding) bool) {
		found = slices.DeleteFunc(slices.Clone(found), func(f lint.Finding) bool {
			i := slices.IndexFunc(known, func(k *record.Finding) bool { return k.Rule == f.Rule && k.File == f.File && same(f, k) })
			if i < 0 {
				return false
			}
			c.reported(known[i], f)
			known = slices.Delete(slices.Clone(known), i, i+1)
			return true
		})
	}
	match(func(f lint.Finding, k *record.Finding) bool { return k.Line == f.Line && k.Message == f.Message })
	match(func(f lint.Finding, k *record.Finding) bool {
		return k.Line == f.Line && subject(k.Message) == subject(f.Message)
	})
	match(func(f lint.Finding, k *record.Finding) bool { return k.Message == f.Message })
	for _, f := range found {
		about.Rule, about.File, about.Line, about.Message = f.Rule, f.File, f.Line, f.Message
		c.fresh = append(c.fresh, about)
	}
	for _, k := range known {
		switch {
		case !k.Found:
		case k.Verdict == record.True:
			c.lost = append(c.lost, *k)
		default:
			c.gone = append(c.gone, *k)
		}
		k.Found, k.At = false, c.at
	}
}

// subject returns the first function, type or field that a message names.
func subject(message string) string {
	for word := range strings.FieldsSeq(message) {
		if strings.Contains(strings.TrimRight(word, ".,;:"), ".") {
			return word
		}
	}
	return ""
}

// reported notes that a known finding is reported, as f.
func (c *comparison) reported(k *record.Finding, f lint.Finding) {
	if k.Found {
		c.same = append(c.same, *k)
	} else {
		c.back = append(c.back, *k)
	}
	k.Line, k.Message, k.Found, k.At = f.Line, f.Message, true, c.at
}

// print prints the difference: first what was known, then the findings to judge,
// and then totals.
func (c *comparison) print(out io.Writer, freshFile string) error {
	for _, note := range c.notes {
		fmt.Fprintln(out, "#", note)
	}
	for _, group := range []struct {
		name string
		of   []record.Finding
	}{{"lost", c.lost}, {"gone", c.gone}, {"back", c.back}} {
		for _, f := range group.of {
			fmt.Fprintf(out, "%s\t%s\t%s\t%s:%d\t%s: %s\t(%s: %s)\n", group.name, f.Operator, f.Module, f.File, f.Line, f.Rule, f.Message, f.Verdict, f.Reason)
		}
	}
	to := out
	if freshFile != "" {
		file, err := os.Create(freshFile)
		if err != nil {
			return err
		}
		defer file.Close()
		to = file
	}
	if err := record.Encode(to, c.fresh); err != nil {
		return err
	}
	c.totals(out)
	return nil
}

// totals prints a line for each rule.
func (c *comparison) totals(out io.Writer) {
	groups := [][]record.Finding{c.same, c.lost, c.gone, c.back, c.fresh}
	var rules []string
	for _, of := range groups {
		for _, f := range of {
			rules = append(rules, f.Rule)
		}
	}
	slices.Sort(rules)
	fmt.Fprintf(out, "# %d modules compared\n", c.compared)
	for _, rule := range slices.Compact(rules) {
		count := func(of []record.Finding, verdicts ...string) (n int) {
			for _, f := range of {
				if f.Rule == rule && (verdicts == nil || slices.Contains(verdicts, f.Verdict)) {
					n++
				}
			}
			return n
		}
		reported := slices.Concat(c.same, c.back)
		fmt.Fprintf(out, "# %s: true %d, false %d, lost %d, gone %d, to judge %d\n", rule, count(reported, record.True),
			count(reported, record.False, record.NotUseful), count(c.lost), count(c.gone), count(c.fresh))
	}
}

// judge puts verdicts from files into the data: findings that compare printed,
// with verdict, reason and cause filled in, and mutants with a judgment.
func judge(_ context.Context, args []string) error {
	flags := flag.NewFlagSet("judge", flag.ContinueOnError)
	data := flags.String("data", dataDir, "`directory` of the verdicts")
	if err := flags.Parse(args); err != nil {
		return usageError{err}
	}
	if flags.NArg() == 0 {
		return usagef("judge wants files with findings or mutants")
	}
	all, err := record.Read(*data)
	if err != nil {
		return err
	}
	for _, name := range flags.Args() {
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		err = all.Judge(file)
		file.Close()
		if err != nil {
			return fmt.Errorf("%s:%w", name, err)
		}
	}
	return all.Write(*data)
}
