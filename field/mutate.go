package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/operatorvet/operatorvet/field/internal/lint"
	"github.com/operatorvet/operatorvet/field/internal/mutant"
	"github.com/operatorvet/operatorvet/field/internal/private"
	"github.com/operatorvet/operatorvet/field/internal/record"
)

// mutating has the options of the command mutate.
type mutating struct {
	dir      string
	kinds    string
	most     int
	list     bool
	diff     bool
	parallel int
	binary   string
	json     string
	data     string
	record   bool
	again    bool
	about    record.Mutant // operator, commit and module
}

// mutate takes protective code out of a module, one place at a time, and asks
// whether operatorvet then says more than before.
func mutate(ctx context.Context, args []string) error {
	var o mutating
	flags := flag.NewFlagSet("mutate", flag.ContinueOnError)
	flags.StringVar(&o.dir, "C", ".", "`directory` of the module; it is not changed")
	flags.StringVar(&o.kinds, "kinds", "", "`kinds` of mutants, separated by commas (default all)")
	flags.IntVar(&o.most, "max", 0, "try at most `n` mutants of each kind, evenly spread (0: all)")
	flags.BoolVar(&o.list, "list", false, "list the mutants and run nothing")
	flags.BoolVar(&o.diff, "diff", false, "show the mutants as patches and run nothing")
	flags.IntVar(&o.parallel, "parallel", 1, "try `n` mutants at a time, each in a copy of the module")
	flags.StringVar(&o.binary, "binary", "", "operatorvet `program` to measure (default: built from this repository)")
	flags.StringVar(&o.json, "json", "", "write the records of the mutants to this `file`")
	flags.StringVar(&o.data, "data", dataDir, "`directory` of the verdicts")
	flags.BoolVar(&o.record, "record", false, "put the outcomes into the verdicts, and keep judgments")
	flags.BoolVar(&o.again, "again", false, "try the mutants that the verdicts have of the operator, and no others")
	flags.StringVar(&o.about.Operator, "operator", "", "`owner/name` of the operator, for records (default: by the directory's name, among those of the verdicts)")
	flags.StringVar(&o.about.Commit, "commit", "", "`commit` of the operator, for records")
	flags.StringVar(&o.about.At, "at", "", "`commit` of operatorvet, for records (default: that of this repository)")
	flags.StringVar(&o.about.Module, "module", "", "`directory` of the module in the operator's repository, for records (default .)")
	if err := parse(flags, args); err != nil {
		return err
	}
	if err := o.complete(); err != nil {
		return err
	}
	return o.run(ctx, os.Stdout)
}

// complete checks the options, and finds out what they leave open.
func (o *mutating) complete() error {
	if _, err := kindsNamed(o.kinds); err != nil {
		return err
	}
	if o.parallel < 1 || o.most < 0 {
		return usagef("-parallel must be at least 1, and -max at least 0")
	}
	if !o.record && !o.again && o.json == "" {
		return nil
	}
	all, err := record.Read(o.data)
	if err != nil {
		return err
	}
	if o.about.Operator == "" {
		dir, err := filepath.Abs(o.dir)
		if err != nil {
			return err
		}
		if op, module, ok := operatorOf(all.Operators, dir); ok {
			o.about.Operator, o.about.Module = op.Operator, cmp.Or(o.about.Module, module)
		}
	}
	for _, op := range all.Operators {
		if op.Operator == o.about.Operator {
			o.about.Commit = cmp.Or(o.about.Commit, op.Commit)
		}
	}
	o.about.Module = cmp.Or(o.about.Module, ".")
	if o.about.Operator == "" || o.about.Commit == "" {
		return usagef("which operator is this, at which commit? Set -operator and -commit")
	}
	return nil
}

// operatorOf returns the operator in whose tree a directory is, and the
// directory in the tree. Trees have the name of their repository.
func operatorOf(operators []record.Operator, dir string) (op record.Operator, module string, ok bool) {
	for tree := dir; ; tree = filepath.Dir(tree) {
		for _, op := range operators {
			if slices.Contains(treeNames(op.Operator), filepath.Base(tree)) {
				module, err := filepath.Rel(tree, dir)
				return op, filepath.ToSlash(module), err == nil
			}
		}
		if tree == filepath.Dir(tree) {
			return record.Operator{}, "", false
		}
	}
}

// kindsNamed returns the kinds with these names, separated by commas, or all.
func kindsNamed(names string) ([]mutant.Kind, error) {
	all := mutant.Kinds()
	if names == "" {
		return all, nil
	}
	var some []mutant.Kind
	for name := range strings.SplitSeq(names, ",") {
		known := false
		for _, k := range all {
			if k.Name == name || k.Group == name {
				known = true
				some = append(some, k)
			}
		}
		if !known {
			var kinds []string
			for _, k := range all {
				kinds = append(kinds, k.Name)
			}
			return nil, usagef("-kinds: no kind %q; there are %s", name, strings.Join(kinds, ", "))
		}
	}
	slices.SortFunc(some, func(a, b mutant.Kind) int { return strings.Compare(a.Name, b.Name) })
	return slices.CompactFunc(some, func(a, b mutant.Kind) bool { return a.Name == b.Name }), nil
}

func (o *mutating) run(ctx context.Context, out io.Writer) error {
	work, err := os.MkdirTemp("", "operatorvet-mutate-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	m := &mutation{work: work}
	// Nobody writes into the first copy: it is what mutants are made from.
	dir, err := m.copy(ctx, o.dir)
	if err != nil {
		return err
	}
	mutants, err := o.collect(dir)
	if err != nil {
		return err
	}
	if o.list || o.diff {
		for _, mut := range mutants {
			fmt.Fprintln(out, mut.Shown())
			if !o.diff {
				continue
			}
			if patch, err := mut.Diff(); err != nil {
				fmt.Fprintln(out, "broken:", oneLine(err))
			} else {
				fmt.Fprintf(out, "%s", patch)
			}
		}
		return nil
	}
	if o.about.Operator != "" {
		if o.about.At, err = commitOf(ctx, o.binary, o.about.At); err != nil {
			return err
		}
	}
	if m.command, err = newCommand(ctx, o.binary, work); err != nil {
		return err
	}
	var dirs []string
	for len(dirs) < min(o.parallel, len(mutants)) {
		dir, err := m.copy(ctx, o.dir)
		if err != nil {
			return err
		}
		dirs = append(dirs, dir)
	}
	records, err := m.try(ctx, dirs, mutants, func(mut *mutant.Mutant, r record.Mutant) record.Mutant {
		outcome, finding := r.Outcome, r.Finding
		r = o.about
		r.Kind, r.File, r.Line, r.What = mut.Kind, mut.File, mut.Line, mut.What
		r.Outcome, r.Finding = outcome, finding
		fmt.Fprintf(out, "%s\t%s\t%s\n", r.Outcome, mut.Shown(), r.Finding)
		return r
	})
	if err != nil {
		return err
	}
	sum(out, records)
	return o.keep(records)
}

// newCommand returns the operatorvet to measure: a program, or else one built
// from this repository. Its results are kept in the work directory: after a
// change it analyses only the packages that the change concerns.
func newCommand(ctx context.Context, binary, work string) (lint.Command, error) {
	c := lint.Command{Path: binary, Cache: filepath.Join(work, "cache")}
	var err error
	if c.Path == "" {
		c.Path = filepath.Join(work, "operatorvet")
		err = lint.Build(ctx, c.Path)
	} else {
		c.Path, err = filepath.Abs(c.Path)
	}
	return c, err
}

// commitOf returns the commit of the operatorvet to measure: what the user says,
// or that of this repository.
func commitOf(ctx context.Context, binary, at string) (string, error) {
	if at == "" && binary != "" {
		return "", usagef("from which commit is %s? Set -at", binary)
	} else if at != "" {
		return at, nil
	}
	return lint.Commit(ctx)
}

// collect returns the mutants to try.
func (o *mutating) collect(dir string) ([]*mutant.Mutant, error) {
	kinds, err := kindsNamed(o.kinds)
	if err != nil {
		return nil, err
	}
	mutants, failures, err := mutant.Collect(dir, []string{"./..."})
	if err != nil {
		return nil, err
	}
	for _, f := range failures {
		fmt.Fprintf(os.Stderr, "field: no mutants of %s: %s\n", f.Package, f.Message)
	}
	var known []record.Mutant
	if o.again {
		all, err := record.Read(o.data)
		if err != nil {
			return nil, err
		}
		known = all.Mutants
	}
	var some []*mutant.Mutant
	for _, k := range kinds {
		var of []*mutant.Mutant
		for _, m := range mutants {
			if m.Kind == k.Name && (!o.again || slices.ContainsFunc(known, o.isRecord(m))) {
				of = append(of, m)
			}
		}
		some = append(some, mutant.Spread(of, o.most)...)
	}
	return some, nil
}

// isRecord returns what reports whether a record is of the mutant.
func (o *mutating) isRecord(m *mutant.Mutant) func(record.Mutant) bool {
	r := o.about
	r.Kind, r.File, r.Line, r.What = m.Kind, m.File, m.Line, m.What
	return r.Same
}

// keep writes the records where the options say.
func (o *mutating) keep(records []record.Mutant) error {
	if o.json != "" {
		file, err := os.Create(o.json)
		if err != nil {
			return err
		}
		if err := cmp.Or(record.Encode(file, records), file.Close()); err != nil {
			return err
		}
	}
	if !o.record {
		return nil
	}
	all, err := record.Read(o.data)
	if err != nil {
		return err
	}
	all.Mutants = merge(all.Mutants, records)
	return all.Write(o.data)
}

// merge puts the outcomes of a run into records, which keep their judgments.
func merge(known, ran []record.Mutant) []record.Mutant {
	for _, r := range ran {
		i := slices.IndexFunc(known, r.Same)
		if i < 0 {
			known = append(known, r)
			continue
		}
		known[i].Outcome, known[i].Finding, known[i].At = r.Outcome, r.Finding, r.At
	}
	return known
}

// sum writes a line for each kind.
func sum(out io.Writer, records []record.Mutant) {
	for _, k := range mutant.Kinds() {
		count := make(map[string]int)
		for _, r := range records {
			if r.Kind == k.Name {
				count[r.Outcome]++
			}
		}
		if len(count) > 0 {
			fmt.Fprintf(out, "# %s: killed %d, survived %d, broken %d\n", k.Name, count[record.Killed], count[record.Survived], count[record.Broken])
		}
	}
}

// mutation tries mutants.
type mutation struct {
	work    string
	command lint.Command
	copies  int
}

// copy makes another copy of a module.
func (m *mutation) copy(ctx context.Context, module string) (string, error) {
	m.copies++
	return private.Copy(ctx, module, filepath.Join(m.work, fmt.Sprint("copy", m.copies)))
}

// try tries the mutants, one in each copy at a time. It calls done for each in
// their order, with the outcome, and returns what done makes of it.
func (m *mutation) try(ctx context.Context, dirs []string, mutants []*mutant.Mutant, done func(*mutant.Mutant, record.Mutant) record.Mutant) ([]record.Mutant, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	todo := make(chan int)
	outcomes := make([]chan record.Mutant, len(mutants))
	for i := range outcomes {
		outcomes[i] = make(chan record.Mutant, 1)
	}
	var wg sync.WaitGroup
	for _, dir := range dirs {
		wg.Go(func() {
			before, err := m.command.Run(ctx, dir)
			if err != nil {
				cancel(err)
				return
			}
			for i := range todo {
				r, err := m.one(ctx, dir, before, mutants[i])
				if err != nil {
					cancel(err)
					return
				}
				outcomes[i] <- r
			}
		})
	}
	wg.Go(func() {
		defer close(todo)
		for i := range mutants {
			select {
			case todo <- i:
			case <-ctx.Done():
				return
			}
		}
	})
	defer wg.Wait()
	var records []record.Mutant
	for i, mut := range mutants {
		select {
		case r := <-outcomes[i]:
			records = append(records, done(mut, r))
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	return records, nil
}

// one tries a mutant in a copy, and puts the file back.
func (m *mutation) one(ctx context.Context, dir string, before *lint.Result, mut *mutant.Mutant) (record.Mutant, error) {
	src, err := mut.Source()
	if err != nil {
		return record.Mutant{Outcome: record.Broken, Finding: oneLine(err)}, nil
	}
	file := filepath.Join(dir, filepath.FromSlash(mut.File))
	old, err := os.ReadFile(file)
	if err != nil {
		return record.Mutant{}, err
	}
	if err := os.WriteFile(file, src, 0o666); err != nil {
		return record.Mutant{}, err
	}
	after, err := m.command.Run(ctx, dir)
	if err != nil {
		return record.Mutant{}, err
	}
	if err := os.WriteFile(file, old, 0o666); err != nil {
		return record.Mutant{}, err
	}
	for _, line := range after.Failures {
		if !slices.Contains(before.Failures, line) {
			return record.Mutant{Outcome: record.Broken, Finding: line}, nil
		}
	}
	kind, _ := mutant.KindNamed(mut.Kind)
	if f, ok := noticed(before.Findings, after.Findings, kind.Rules); ok {
		return record.Mutant{Outcome: record.Killed, Finding: f.Rule + " " + f.File + " " + f.Message}, nil
	}
	return record.Mutant{Outcome: record.Survived}, nil
}

func oneLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return lint.Stable(line)
}

// noticed returns a finding of the rules that was not there before, or that is
// there once more.
func noticed(before, after []lint.Finding, rules []string) (lint.Finding, bool) {
	count := make(map[lint.Finding]int)
	line := func(f lint.Finding) lint.Finding { f.Line = 0; return f }
	for _, f := range before {
		count[line(f)]++
	}
	for _, f := range after {
		if slices.Contains(rules, f.Rule) {
			if count[line(f)]--; count[line(f)] < 0 {
				return f, true
			}
		}
	}
	return lint.Finding{}, false
}
