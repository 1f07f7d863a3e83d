package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/operatorvet/operatorvet/field/internal/record"
	"github.com/operatorvet/operatorvet/internal/testing/enginetest"
)

// TestDocs checks that the page is what the data yield.
func TestDocs(t *testing.T) {
	t.Parallel()
	all, err := record.Read("data")
	if err != nil {
		t.Fatal(err)
	}
	want, err := rendered(all)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join("..", "docs", "field.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("docs/field.md is not up to date; go run ./field docs (-want +got):\n%s", enginetest.Diff(want, got))
	}
}

func TestTables(t *testing.T) {
	t.Parallel()
	finding := func(rule, verdict, cause string, found bool) record.Finding {
		return record.Finding{Operator: "o/p", Commit: "c", Rule: rule, Verdict: verdict, Reason: "a reason", Cause: cause, Found: found, At: "a1"}
	}
	mutant := func(kind, outcome, judgment, reason string) record.Mutant {
		return record.Mutant{Operator: "o/p", Commit: "c", Kind: kind, File: "a.go", Line: 3, What: "x", Outcome: outcome, Judgment: judgment, Reason: reason, At: "a2"}
	}
	r := report{&record.All{
		Operators: []record.Operator{
			{Set: "s", Operator: "o/p", Commit: "c", Packages: 7, At: "a1"},
			{Set: "s", Operator: "o/q", Commit: "d", Aggregate: &record.Aggregate{At: "a0", Findings: map[string]int{"ctxloop": 3}, False: map[string]int{"ctxloop": 1}}},
			{Set: "t", Operator: "o/r", Commit: "e"},
		},
		Findings: []record.Finding{
			finding("ctxloop", record.True, "", true),
			finding("ctxloop", record.NotUseful, "the wait is short", true),
			finding("ctxloop", record.False, "", true),
			finding("ctxloop", record.True, "", false),
		},
		Mutants: []record.Mutant{
			mutant("sort", record.Killed, "", ""),
			mutant("sort", record.Survived, record.Bug, "lost in a helper"),
			mutant("sort", record.Survived, record.NotBug, "a log line"),
			mutant("owns", record.Killed, record.Bug, ""),
			mutant("owns", record.Survived, "", ""),
			mutant("owns", record.Broken, "", ""),
		},
		Replays: []record.Replay{
			{Repository: "o/p", Fix: "f", Rule: "ctxloop", What: "w", Before: "reported", After: "silent", WasBefore: "silent", WasAfter: "silent", At: "a1"},
			{Repository: "o/p", Fix: "g", Rule: "ctxloop", What: "w", Before: "3", After: "1", WasBefore: "3", WasAfter: "1", At: "a1"},
		},
		Rounds: []record.Round{
			{Round: 1, Operator: "o/r", Commit: "e", At: "a3", Findings: 4, Judged: 4, True: 3, Causes: 2, TrueCauses: 1},
			{Round: 1, Operator: "o/s", Commit: "f", At: "a3", Findings: 9, Judged: 4, True: 1, Causes: 2, TrueCauses: 1},
		},
		Misses: []record.Miss{
			{Round: 1, Operator: "o/r", Rule: "ctxloop", File: "a.go", Line: 4, What: "a wait."},
			{Round: 2, Operator: "o/r", Rule: "ctxloop", File: "b.go", Line: 4, What: "a wait.", Finding: "b.go:5"},
			{Round: 2, Operator: "o/p", Rule: "ctxloop", File: "b.go", Line: 4, What: "a wait.", Finding: ":0"},
		},
	}}
	for name, test := range map[string]struct{ got, want string }{
		"operators": {r.operators("s"), `| operator | commit | packages | ctxloop | unstablewrite | missingwatch | blindpredicate | deadcleanup | true | false | run with |
|---|---|---|---|---|---|---|---|---|---|---|
| o/p | c | 7 | 3 | 0 | 0 | 0 | 0 | 1 | 2 | a1 |
| o/q | d |  | 3 | 0 | 0 | 0 | 0 | 2 | 1 | a0 |
| all |  |  | 6 | 0 | 0 | 0 | 0 | 3 | 3 |  |

3 of 6 findings are true (50 %).
`},
		"falses": {r.falses("s"), `- ctxloop, 1 (o/p): a reason.
- ctxloop, 1 (o/p): the wait is short (not useful).
`},
		"survivors": {r.survivors(), "- sort, o/p, a.go:3, `x`: lost in a helper.\n"},
		"replays": {r.replays(), `| repository | fix | rule | what | before | after | run with |
|---|---|---|---|---|---|---|
| o/p | f | ctxloop | w | silent **(should be reported)** | silent | a1 |
| o/p | g | ctxloop | w | 3 | 1 | a1 |

1 of 2 are as they should be.
`},
		"found": {r.foundMisses(), "| rule | bugs | reported by now | share |\n|---|---|---|---|\n| ctxloop | 3 | 1 | 33 % |\n| unstablewrite | 0 | 0 |  |\n" +
			"| missingwatch | 0 | 0 |  |\n| blindpredicate | 0 | 0 |  |\n| deadcleanup | 0 | 0 |  |\n| all | 3 | 1 | 33 % |\n"},
		"misses": {r.misses(1), "- ctxloop, o/r, a.go:4: a wait.\n"},
		"rounds": {r.rounds(), `| round | operator | commit | run with | findings | judged | true | causes | true causes | note |
|---|---|---|---|---|---|---|---|---|---|
| 1 | o/r | e | a3 | 4 | 4 | 3 (75 %) | 2 | 1 (50 %) |  |
| 1 | o/s | f | a3 | 9 | 4 | 1 (25 %) | 2 | 1 (50 %) |  |
`},
		"first sight": {r.firstSight(), `| round | findings | judged | true | causes | true causes |
|---|---|---|---|---|---|
| 1 | 13 | 8 | 4 (50 %) | 4 | 2 (50 %) |
`},
	} {
		if test.got != test.want {
			t.Errorf("%s (-want +got):\n%s", name, enginetest.Diff([]byte(test.want), []byte(test.got)))
		}
	}
	for _, want := range []string{
		"| o/p | a2 | 2 | 1 | 1 | 1 | 1 | at least 50 % |\n",
		" | 1 | 1 | 0 | 1 | 0 | 50 % |\n",
		" | 1 | 0 | 1 | 0 | 1 | at least 50 % |\n",
	} {
		if !bytes.Contains([]byte(r.mutants()), []byte(want)) {
			t.Errorf("no row %q in\n%s", want, r.mutants())
		}
	}
}
