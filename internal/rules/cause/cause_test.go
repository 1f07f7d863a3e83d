package cause_test

import (
	"strings"
	"testing"

	"github.com/operatorvet/operatorvet/internal/rules/cause"
)

type finding struct{ rule, at, key, claim, kind string }

func item(f finding) cause.Item {
	return cause.Item{Rule: f.rule, At: f.at, Place: f.at, Cause: cause.Cause{Key: f.key, Claim: f.claim, Kind: f.kind, Place: "call"}}
}

func TestGroups(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		findings []finding
		most     int
		want     string // what each group says of its other findings
	}{
		"nothing is known of the causes": {
			[]finding{{"r", "a:1", "", "", ""}, {"r", "a:1", "", "", ""}, {"r", "b:1", "", "", ""}}, 9,
			"a:1 | a:1 | b:1",
		},
		"one loop, several calls": {
			[]finding{{"r", "a:1", "loop", "", ""}, {"r", "b:1", "", "", ""}, {"r", "b:2", "loop", "", ""}, {"r", "c:3", "loop", "", ""}}, 9,
			"a:1 and 2 more calls: b:2, c:3 | b:1",
		},
		"too many to name": {
			[]finding{{"r", "a:1", "loop", "", ""}, {"r", "b:2", "loop", "", ""}, {"r", "c:3", "loop", "", ""}, {"r", "d:4", "loop", "", ""}}, 2,
			"a:1 and 3 more calls: b:2, c:3, …",
		},
		"the same of another rule": {
			[]finding{{"r", "a:1", "loop", "", ""}, {"s", "b:2", "loop", "", ""}, {"s", "b:2", "loop", "", ""}}, 9,
			"a:1 | b:2",
		},
		"two claims": {
			[]finding{{"r", "a:1", "loop", "never", ""}, {"r", "b:2", "loop", "late", ""}, {"r", "c:3", "loop", "never", ""}}, 9,
			"a:1 and 1 more call: c:3 | b:2",
		},
		"several kinds at one place": {
			[]finding{{"r", "a:1", "w1", "", "Role"}, {"r", "a:1", "w2", "", "Secret"}, {"r", "a:1", "w3", "", "Secret"}, {"r", "b:1", "w1", "", "Role"}}, 9,
			"a:1 and 1 more kind: Secret | b:1", // b lacks what else causes those of a
		},
		"the same kinds at two places": {
			[]finding{{"r", "a:1", "w1", "", "Role"}, {"r", "a:1", "w2", "", "Secret"}, {"r", "b:1", "w2", "", "Secret"}, {"r", "b:1", "w1", "", "Role"}}, 9,
			"a:1 and 1 more kind: Secret; and 1 more call: b:1",
		},
		"several kinds of one cause at several places": {
			[]finding{{"r", "a:1", "b", "", "Role"}, {"r", "a:2", "b", "", "Secret"}, {"r", "a:3", "b", "", "Role"}}, 9,
			"a:1 and 2 more calls: Secret (a:2), a:3",
		},
	} {
		var got []string
		for _, g := range cause.Groups(test.findings, item) {
			got = append(got, strings.TrimSpace(g.First().at+" "+g.More(item, test.most)))
		}
		if got := strings.Join(got, " | "); got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, test.want)
		}
	}
}
