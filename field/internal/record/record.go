// Package record holds the verdicts about operatorvet: what it found in public
// operators and whether that is true, mutants, replays of fixed bugs, and rounds
// on unknown operators.
//
// They are files with one JSON object on each line, sorted, for people to edit
// and for diffs to show. A file is decoded strictly, and an error names its line.
// The commands write files in order.
package record

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// All are the records of a directory.
type All struct {
	Operators []Operator
	Modules   []Module
	Findings  []Finding
	Mutants   []Mutant
	Replays   []Replay
	Rounds    []Round
	Misses    []Miss
}

// An Operator is a repository at a commit.
type Operator struct {
	Set      string `json:"set"` // practice, later, last, round1, …, then, before, year, four
	Operator string `json:"operator"`
	Commit   string `json:"commit"`
	Packages int    `json:"packages,omitempty"`
	// At is the commit of operatorvet that was last compared with the findings.
	At string `json:"at,omitempty"`
	// Aggregate counts findings that are not among the findings file's.
	Aggregate *Aggregate `json:"aggregate,omitempty"`
}

// An Aggregate has figures of a run whose findings were judged, but not kept one
// by one: findings by rule, and how many of them are not true.
type Aggregate struct {
	At       string         `json:"at"` // commit of operatorvet
	Findings map[string]int `json:"findings,omitempty"`
	False    map[string]int `json:"false,omitempty"`
}

// A Module is a Go module of an operator, and what the go command needs to load
// it.
type Module struct {
	Operator string `json:"operator"`
	Dir      string `json:"dir"` // in the repository, "." for its root
	GOFLAGS  string `json:"goflags,omitempty"`
	// Overlay says what has to be changed in the tree before the module can be
	// loaded, such as a stand-in for a module that is not public.
	Overlay string `json:"overlay,omitempty"`
}

// The verdicts about a finding.
const (
	True      = "true"       // the code behaves so, and its maintainer would rather it did not
	False     = "false"      // the code does not behave so
	NotUseful = "not useful" // right, and nobody would act on it; counts as false
)

// A Finding is a finding in an operator, and whether it is true.
type Finding struct {
	Operator string `json:"operator"`
	Commit   string `json:"commit"`
	Module   string `json:"module"` // its directory, as in Module
	Rule     string `json:"rule"`
	File     string `json:"file"` // relative to the module
	Line     int    `json:"line"`
	Message  string `json:"message"` // without positions
	Verdict  string `json:"verdict"`
	Reason   string `json:"reason"` // in one sentence
	Cause    string `json:"cause"`  // what several findings have in common
	// Found says whether the run with the operatorvet of commit At reported it.
	Found bool   `json:"found"`
	At    string `json:"at"`
}

// The outcomes of a mutant.
const (
	Killed   = "killed"   // a rule that ought to notice reports something new
	Survived = "survived" // none does
	Broken   = "broken"   // the mutant could not be analysed
)

// The judgments about a mutant.
const (
	Bug    = "bug"
	NotBug = "not a bug"
)

// A Mutant is an operator with something protective taken out.
type Mutant struct {
	Operator string `json:"operator"`
	Commit   string `json:"commit"`
	Module   string `json:"module"` // its directory, as in Module
	Kind     string `json:"kind"`
	File     string `json:"file"` // relative to the module
	Line     int    `json:"line"`
	What     string `json:"what"`
	// Outcome and Finding are of the run with the operatorvet of commit At. They
	// are written by the command only.
	Outcome string `json:"outcome"`
	Finding string `json:"finding,omitempty"`
	At      string `json:"at"`
	// Judgment and Reason come from a reader. The reason says why the mutant is
	// no bug, or why a bug survives.
	Judgment string `json:"judgment,omitempty"`
	Reason   string `json:"reason,omitempty"`
}

// A Replay is a fixed bug: the tree before the fix ought to have a finding that
// the tree after it has not.
type Replay struct {
	Repository string `json:"repository"`
	Fix        string `json:"fix"` // commit
	Rule       string `json:"rule"`
	What       string `json:"what"`
	// Before and After are what ought to be said: reported, silent, or a number
	// of findings of the rule.
	Before string `json:"before"`
	After  string `json:"after"`
	// WasBefore and WasAfter are what the operatorvet of commit At said.
	WasBefore string `json:"wasBefore"`
	WasAfter  string `json:"wasAfter"`
	At        string `json:"at"`
}

// A Round is the first run on an operator that nobody had looked at. It never
// changes; what later versions find is in the findings.
type Round struct {
	Round      int    `json:"round"`
	Operator   string `json:"operator"`
	Commit     string `json:"commit"`
	At         string `json:"at"` // commit of operatorvet
	Findings   int    `json:"findings"`
	Judged     int    `json:"judged"`
	True       int    `json:"true"`
	Causes     int    `json:"causes"` // of those judged
	TrueCauses int    `json:"trueCauses"`
	Note       string `json:"note,omitempty"`
}

// A Miss is a bug of a rule's kind that a reader of a round saw, and that the run
// did not report.
type Miss struct {
	Round    int    `json:"round"`
	Operator string `json:"operator"`
	Rule     string `json:"rule"`
	File     string `json:"file"` // relative to the repository
	Line     int    `json:"line"`
	What     string `json:"what"` // in one sentence
	// Finding is the place FILE:LINE of the finding that reports the bug by now, if one does.
	Finding string `json:"finding,omitempty"`
}

// A file is sorted by these keys. No two records of a file have the same one.
func (r Operator) key() []string { return []string{r.Set, r.Operator, r.Commit} }
func (r Module) key() []string   { return []string{r.Operator, r.Dir} }
func (r Finding) key() []string {
	return []string{r.Operator, r.Module, r.File, number(r.Line), r.Rule, r.Message, r.Commit}
}
func (r Mutant) key() []string {
	return []string{r.Operator, r.Module, r.Kind, r.File, number(r.Line), r.What, r.Commit}
}
func (r Replay) key() []string { return []string{r.Rule, r.Repository, r.Fix, r.What} }
func (r Round) key() []string  { return []string{number(r.Round), r.Operator} }
func (r Miss) key() []string {
	return []string{number(r.Round), r.Operator, r.Rule, r.File, number(r.Line)}
}

func number(n int) string { return fmt.Sprintf("%08d", n) }

// Same reports whether two records are of one mutant.
func (r Mutant) Same(other Mutant) bool { return slices.Equal(r.key(), other.key()) }

// Same reports whether two records are of one finding.
func (r Finding) Same(other Finding) bool { return slices.Equal(r.key(), other.key()) }

func (r Operator) check() error {
	if r.Aggregate != nil {
		for rule, n := range r.Aggregate.False {
			if n > r.Aggregate.Findings[rule] {
				return fmt.Errorf("more false findings of %s than there are", rule)
			}
		}
	}
	return required("set", r.Set, "operator", r.Operator, "commit", r.Commit)
}
func (r Module) check() error { return required("operator", r.Operator, "dir", r.Dir) }
func (r Finding) check() error {
	return cmp.Or(
		required("operator", r.Operator, "commit", r.Commit, "module", r.Module, "rule", r.Rule, "file", r.File, "message", r.Message, "at", r.At),
		oneOf("verdict", r.Verdict, True, False, NotUseful),
		required("reason", r.Reason))
}
func (r Mutant) check() error {
	if err := required("operator", r.Operator, "commit", r.Commit, "module", r.Module, "kind", r.Kind, "file", r.File, "what", r.What, "at", r.At); err != nil {
		return err
	}
	if r.Judgment == NotBug && r.Reason == "" {
		return errors.New(`no "reason" why it is not a bug`)
	}
	return cmp.Or(oneOf("outcome", r.Outcome, Killed, Survived, Broken), oneOf("judgment", r.Judgment, "", Bug, NotBug))
}
func (r Replay) check() error {
	return required("repository", r.Repository, "fix", r.Fix, "rule", r.Rule, "what", r.What, "before", r.Before, "after", r.After, "at", r.At)
}
func (r Round) check() error {
	if r.True > r.Judged || r.Judged > r.Findings || r.TrueCauses > r.Causes {
		return errors.New("more true findings than judged ones, or more judged ones than there are")
	}
	return required("operator", r.Operator, "commit", r.Commit, "at", r.At)
}

func (r Miss) check() error {
	return required("operator", r.Operator, "rule", r.Rule, "file", r.File, "what", r.What)
}

func required(pairs ...string) error {
	for pair := range slices.Chunk(pairs, 2) {
		if pair[1] == "" {
			return fmt.Errorf("no %q", pair[0])
		}
	}
	return nil
}

func oneOf(field, val string, allowed ...string) error {
	if slices.Contains(allowed, val) {
		return nil
	}
	return fmt.Errorf("%q is %q; want one of %q", field, val, allowed)
}

// Read reads the records of a directory.
func Read(dir string) (*All, error) {
	all := new(All)
	return all, cmp.Or(
		read(dir, operators, &all.Operators),
		read(dir, modules, &all.Modules),
		read(dir, findings, &all.Findings),
		read(dir, mutants, &all.Mutants),
		read(dir, replays, &all.Replays),
		read(dir, rounds, &all.Rounds),
		read(dir, misses, &all.Misses))
}

// The files of a directory.
const (
	operators = "operators.jsonl"
	modules   = "modules.jsonl"
	findings  = "findings.jsonl"
	mutants   = "mutants.jsonl"
	replays   = "replays.jsonl"
	rounds    = "rounds.jsonl"
	misses    = "misses.jsonl"
)

// Write replaces the records of a directory.
func (all *All) Write(dir string) error {
	return cmp.Or(
		write(dir, operators, all.Operators),
		write(dir, modules, all.Modules),
		write(dir, findings, all.Findings),
		write(dir, mutants, all.Mutants),
		write(dir, replays, all.Replays),
		write(dir, rounds, all.Rounds),
		write(dir, misses, all.Misses))
}

// A kind of records has a key and can be checked.
type kind interface {
	key() []string
	check() error
}

// read decodes a file, which may be absent.
func read[T kind](dir, name string, to *[]T) error {
	file := filepath.Join(dir, name)
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	*to, err = Decode[T](bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("%s:%w", file, err)
	}
	return nil
}

// Decode decodes records. An error begins with the line.
func Decode[T kind](r io.Reader) ([]T, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var all []T
	seen := make(map[string]int) // lines by key
	n := 0
	for line := range bytes.Lines(data) {
		n++
		dec := json.NewDecoder(bytes.NewReader(line))
		dec.DisallowUnknownFields()
		var rec T
		err := dec.Decode(&rec)
		switch {
		case err == io.EOF:
			err = errors.New("empty line")
		case err == nil && dec.More():
			err = errors.New("more than one object")
		case err == nil:
			err = rec.check()
		}
		if key := fmt.Sprintf("%q", rec.key()); err == nil && seen[key] > 0 {
			err = fmt.Errorf("the same as line %d", seen[key])
		} else {
			seen[key] = n
		}
		if err != nil {
			return nil, fmt.Errorf("%d: %s", n, strings.TrimPrefix(err.Error(), "json: "))
		}
		all = append(all, rec)
	}
	return all, nil
}

// Judge adds records of findings or mutants, one after the other. A finding
// replaces one that is the same. Of a mutant that is known only the judgment is
// taken.
func (all *All) Judge(r io.Reader) error {
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if bytes.Contains(data, []byte(`"verdict":`)) {
		judged, err := Decode[Finding](bytes.NewReader(data))
		if err != nil {
			return err
		}
		for _, f := range judged {
			all.Findings = append(slices.DeleteFunc(all.Findings, f.Same), f)
		}
		return nil
	}
	judged, err := Decode[Mutant](bytes.NewReader(data))
	if err != nil {
		return err
	}
	for _, m := range judged {
		if i := slices.IndexFunc(all.Mutants, m.Same); i >= 0 {
			all.Mutants[i].Judgment, all.Mutants[i].Reason = m.Judgment, m.Reason
		} else {
			all.Mutants = append(all.Mutants, m)
		}
	}
	return nil
}

// Encode writes records in their order, one on each line.
func Encode[T kind](w io.Writer, all []T) error {
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b T) int { return slices.Compare(a.key(), b.key()) })
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, rec := range all {
		if err := enc.Encode(rec); err != nil {
			return err
		}
	}
	return nil
}

// write replaces a file at once, so that it is never half written.
func write[T kind](dir, name string, all []T) error {
	var data bytes.Buffer
	if err := Encode(&data, all); err != nil {
		return err
	}
	file := filepath.Join(dir, name)
	if len(all) == 0 {
		return nil
	}
	temp := file + ".new"
	if err := os.WriteFile(temp, data.Bytes(), 0o666); err != nil {
		return err
	}
	return os.Rename(temp, file)
}
