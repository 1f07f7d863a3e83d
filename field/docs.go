package main

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"github.com/operatorvet/operatorvet/field/internal/lint"
	"github.com/operatorvet/operatorvet/field/internal/mutant"
	"github.com/operatorvet/operatorvet/field/internal/record"
)

//go:embed field.md.tmpl
var page string

// docs writes docs/field.md from the verdicts, which it puts in order.
func docs(ctx context.Context, args []string) error {
	if err := parse(flag.NewFlagSet("docs", flag.ContinueOnError), args); err != nil {
		return err
	}
	root, err := lint.Root(ctx)
	if err != nil {
		return err
	}
	all, err := record.Read(filepath.Join(root, dataDir))
	if err != nil {
		return err
	}
	if err := all.Write(filepath.Join(root, dataDir)); err != nil {
		return err
	}
	if all, err = record.Read(filepath.Join(root, dataDir)); err != nil { // in order now
		return err
	}
	text, err := rendered(all)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, "docs", "field.md"), text, 0o666)
}

// rendered returns the page: the template's text, with tables of the verdicts.
func rendered(all *record.All) ([]byte, error) {
	r := report{all}
	tmpl, err := template.New("field.md.tmpl").Funcs(template.FuncMap{
		"operators":  r.operators,
		"falses":     r.falses,
		"rules":      r.rules,
		"mutants":    r.mutants,
		"survivors":  r.survivors,
		"replays":    r.replays,
		"rounds":     r.rounds,
		"firstSight": r.firstSight,
		"misses":     r.misses,
		"found":      r.foundMisses,
	}).Parse(page)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = tmpl.Execute(&out, all)
	return out.Bytes(), err
}

// report makes tables of verdicts.
type report struct{ *record.All }

// columns are the rules, in the order of the tables.
var columns = []string{"ctxloop", "unstablewrite", "missingwatch", "blindpredicate", "deadcleanup"}

// A tally counts findings by rule.
type tally struct{ found, wrong map[string]int }

func newTally() tally { return tally{make(map[string]int), make(map[string]int)} }

func (t tally) add(other tally) {
	for rule, n := range other.found {
		t.found[rule] += n
	}
	for rule, n := range other.wrong {
		t.wrong[rule] += n
	}
}

func sumOf(counts map[string]int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}

// of counts the findings in an operator, and returns the commit of operatorvet
// that reported them.
func (r report) of(op record.Operator) (t tally, at string) {
	t = newTally()
	if a := op.Aggregate; a != nil {
		t.add(tally{a.Findings, a.False})
		return t, a.At
	}
	for _, f := range r.Findings {
		if f.Operator != op.Operator || f.Commit != op.Commit || !f.Found {
			continue
		}
		t.found[f.Rule]++
		if f.Verdict != record.True {
			t.wrong[f.Rule]++
		}
	}
	return t, op.At
}

// operators returns the table of a set of operators, and the share of true
// findings.
func (r report) operators(set string) string {
	head := slices.Concat([]string{"operator", "commit", "packages"}, columns, []string{"true", "false", "run with"})
	var rows [][]string
	total := newTally()
	for _, op := range r.Operators {
		if op.Set != set {
			continue
		}
		t, at := r.of(op)
		total.add(t)
		packages := ""
		if op.Packages > 0 {
			packages = fmt.Sprint(op.Packages)
		}
		rows = append(rows, slices.Concat([]string{op.Operator, op.Commit, packages}, t.cells(), []string{at}))
	}
	rows = append(rows, slices.Concat([]string{"all", "", ""}, total.cells(), []string{""}))
	found, wrong := sumOf(total.found), sumOf(total.wrong)
	return table(head, rows) + fmt.Sprintf("\n%d of %d findings are true%s.\n", found-wrong, found, percent(found-wrong, found))
}

func (t tally) cells() []string {
	var cells []string
	for _, rule := range columns {
		cells = append(cells, fmt.Sprint(t.found[rule]))
	}
	found, wrong := sumOf(t.found), sumOf(t.wrong)
	return append(cells, fmt.Sprint(found-wrong), fmt.Sprint(wrong))
}

func percent(part, of int) string {
	if of == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d %%)", (100*part+of/2)/of)
}

// falses lists why findings in a set of operators are not true, by rule and
// cause.
func (r report) falses(set string) string {
	type group struct{ rule, cause, verdict string }
	names := make(map[group][]string)
	for _, op := range r.Operators {
		for _, f := range r.Findings {
			if op.Set == set && op.Aggregate == nil && f.Operator == op.Operator && f.Commit == op.Commit && f.Found && f.Verdict != record.True {
				g := group{f.Rule, cmp.Or(f.Cause, f.Reason), f.Verdict}
				names[g] = append(names[g], f.Operator)
			}
		}
	}
	groups := slices.SortedFunc(maps.Keys(names), func(a, b group) int {
		return cmp.Or(strings.Compare(a.rule, b.rule), len(names[b])-len(names[a]), strings.Compare(a.cause, b.cause), strings.Compare(a.verdict, b.verdict))
	})
	var out strings.Builder
	for _, g := range groups {
		verdict := ""
		if g.verdict == record.NotUseful {
			verdict = " (not useful)"
		}
		operators := slices.Compact(slices.Sorted(slices.Values(names[g])))
		fmt.Fprintf(&out, "- %s, %d (%s): %s%s.\n", g.rule, len(names[g]), strings.Join(operators, ", "), strings.TrimSuffix(g.cause, "."), verdict)
	}
	return out.String()
}

// rules returns the table of findings by rule.
func (r report) rules() string {
	total := newTally()
	for _, op := range r.Operators {
		t, _ := r.of(op)
		total.add(t)
	}
	var rows [][]string
	for _, rule := range columns {
		found, wrong := total.found[rule], total.wrong[rule]
		rows = append(rows, []string{rule, fmt.Sprint(found), fmt.Sprint(found - wrong), strings.Trim(percent(found-wrong, found), " ()")})
	}
	return table([]string{"rule", "findings on all operators above", "true", "share"}, rows)
}

// A score counts mutants.
type score struct{ killed, missed, harmless, unread, broken int }

func (s *score) add(m record.Mutant) {
	switch {
	case m.Outcome == record.Broken:
		s.broken++
	case m.Judgment == record.NotBug:
		s.harmless++
	case m.Outcome == record.Killed:
		s.killed++
	case m.Judgment == record.Bug:
		s.missed++
	default:
		s.unread++
	}
}

func (s score) cells() []string {
	all := s.killed + s.missed + s.unread
	least := strings.Trim(percent(s.killed, all), " ()")
	switch {
	case all == 0:
		least = ""
	case s.unread > 0:
		least = "at least " + least
	}
	return []string{fmt.Sprint(s.killed), fmt.Sprint(s.missed), fmt.Sprint(s.unread), fmt.Sprint(s.harmless), fmt.Sprint(s.broken), least}
}

var scored = []string{"noticed", "missed", "survived, not read yet", "no bug", "could not be analysed", "score"}

// mutants returns the tables of mutants, by kind and by operator.
func (r report) mutants() string {
	kinds, operators := make(map[string]*score), make(map[string]*score)
	add := func(to map[string]*score, key string, m record.Mutant) {
		if to[key] == nil {
			to[key] = new(score)
		}
		to[key].add(m)
	}
	for _, m := range r.Mutants {
		add(kinds, m.Kind, m)
		add(operators, m.Operator, m)
	}
	var rows [][]string
	for _, k := range mutant.Kinds() {
		if s := kinds[k.Name]; s != nil {
			rows = append(rows, slices.Concat([]string{k.Name, k.Takes}, s.cells()))
		} else {
			rows = append(rows, slices.Concat([]string{k.Name, k.Takes}, score{}.cells()))
		}
	}
	out := table(slices.Concat([]string{"kind", "what is taken out"}, scored), rows)
	rows = nil
	for _, op := range slices.Sorted(maps.Keys(operators)) {
		rows = append(rows, slices.Concat([]string{op, r.mutantRuns(op)}, operators[op].cells()))
	}
	return out + "\n" + table(slices.Concat([]string{"operator", "run with"}, scored), rows)
}

// mutantRuns returns the commits of operatorvet that tried the mutants of an
// operator.
func (r report) mutantRuns(operator string) string {
	runs := make(map[string]bool)
	for _, m := range r.Mutants {
		if m.Operator == operator {
			runs[m.At] = true
		}
	}
	return strings.Join(slices.Sorted(maps.Keys(runs)), ", ")
}

// survivors lists the mutants that are missed.
func (r report) survivors() string {
	var out strings.Builder
	for _, k := range mutant.Kinds() {
		for _, m := range r.Mutants {
			if m.Kind == k.Name && m.Outcome == record.Survived && m.Judgment == record.Bug {
				fmt.Fprintf(&out, "- %s, %s, %s:%d, `%s`: %s\n", m.Kind, m.Operator, m.File, m.Line, strings.ReplaceAll(m.What, "`", "'"), sentence(cmp.Or(m.Reason, "not looked into")))
			}
		}
	}
	if out.Len() == 0 && !slices.ContainsFunc(r.Mutants, func(m record.Mutant) bool { return m.Outcome == record.Survived && m.Judgment != "" }) {
		return "No survivor has been read yet.\n"
	}
	return cmp.Or(out.String(), "Nothing.\n")
}

func sentence(s string) string { return strings.TrimSuffix(s, ".") + "." }

// replays returns the table of replays, and how many are as they ought to be.
func (r report) replays() string {
	var rows [][]string
	right := 0
	for _, p := range r.Replays {
		before, after := p.WasBefore, p.WasAfter
		ok := before == p.Before && after == p.After
		if ok {
			right++
		}
		if before != p.Before {
			before += fmt.Sprintf(" **(should be %s)**", p.Before)
		}
		if after != p.After {
			after += fmt.Sprintf(" **(should be %s)**", p.After)
		}
		rows = append(rows, []string{p.Repository, p.Fix, p.Rule, p.What, before, after, p.At})
	}
	return table([]string{"repository", "fix", "rule", "what", "before", "after", "run with"}, rows) +
		fmt.Sprintf("\n%d of %d are as they should be.\n", right, len(r.Replays))
}

// rounds returns the table of rounds.
func (r report) rounds() string {
	if len(r.Rounds) == 0 {
		return "No round has been run yet.\n"
	}
	var rows [][]string
	for _, n := range r.Rounds {
		rows = append(rows, []string{fmt.Sprint(n.Round), n.Operator, n.Commit, n.At, fmt.Sprint(n.Findings), fmt.Sprint(n.Judged),
			fmt.Sprint(n.True) + percent(n.True, n.Judged), fmt.Sprint(n.Causes), fmt.Sprint(n.TrueCauses) + percent(n.TrueCauses, n.Causes), n.Note})
	}
	return table([]string{"round", "operator", "commit", "run with", "findings", "judged", "true", "causes", "true causes", "note"}, rows)
}

// firstSight returns a table with the sums of each round.
func (r report) firstSight() string {
	sums := make(map[int]record.Round)
	for _, n := range r.Rounds {
		sum := sums[n.Round]
		sum.Findings += n.Findings
		sum.Judged += n.Judged
		sum.True += n.True
		sum.Causes += n.Causes
		sum.TrueCauses += n.TrueCauses
		sums[n.Round] = sum
	}
	var rows [][]string
	for _, round := range slices.Sorted(maps.Keys(sums)) {
		n := sums[round]
		rows = append(rows, []string{fmt.Sprint(round), fmt.Sprint(n.Findings), fmt.Sprint(n.Judged),
			fmt.Sprint(n.True) + percent(n.True, n.Judged), fmt.Sprint(n.Causes), fmt.Sprint(n.TrueCauses) + percent(n.TrueCauses, n.Causes)})
	}
	return table([]string{"round", "findings", "judged", "true", "causes", "true causes"}, rows)
}

// misses returns the list of bugs that a round did not report.
func (r report) misses(round int) string {
	var out strings.Builder
	for _, m := range r.Misses {
		if m.Round == round {
			fmt.Fprintf(&out, "- %s, %s, %s:%d: %s\n", m.Rule, m.Operator, m.File, m.Line, m.What)
		}
	}
	return out.String()
}

// found reports whether a finding reports the bug by now.
func (r report) found(m record.Miss) bool {
	return m.Finding != "" && slices.ContainsFunc(r.Findings, func(f record.Finding) bool {
		return f.Found && f.Operator == m.Operator && f.Rule == m.Rule && m.Finding == fmt.Sprintf("%s:%d", f.File, f.Line)
	})
}

// foundMisses returns the table of the bugs that the readers of all rounds saw and that were
// not reported, and of how many are by now.
func (r report) foundMisses() string {
	seen, found := make(map[string]int), make(map[string]int)
	for _, m := range r.Misses {
		for _, rule := range []string{m.Rule, "all"} {
			seen[rule]++
			if r.found(m) {
				found[rule]++
			}
		}
	}
	var rows [][]string
	for _, rule := range append(slices.Clone(columns), "all") {
		rows = append(rows, []string{rule, fmt.Sprint(seen[rule]), fmt.Sprint(found[rule]), strings.Trim(percent(found[rule], seen[rule]), " ()")})
	}
	return table([]string{"rule", "bugs", "reported by now", "share"}, rows)
}

// table returns a table in Markdown.
func table(head []string, rows [][]string) string {
	var out strings.Builder
	fmt.Fprintf(&out, "| %s |\n|%s\n", strings.Join(head, " | "), strings.Repeat("---|", len(head)))
	for _, row := range rows {
		fmt.Fprintf(&out, "| %s |\n", strings.Join(row, " | "))
	}
	return out.String()
}
