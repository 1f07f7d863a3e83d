package main_test

import (
	"strings"
	"testing"
)

// TestFunctionsThatAreNotThere: an option that names a function is an error if the
// package is analysed or imported and does not have it. If the package is neither, or
// only its own code could tell, the option stands.
func TestFunctionsThatAreNotThere(t *testing.T) {
	t.Parallel()
	const code = `
-- lib/lib.go --
package lib

type Client struct{ Inner }

type Inner struct{}

func (*Inner) Apply() {}

type Writer interface{ Store() }

func Retry() {}

func hidden() {}
-- p.go --
package p

import "example.com/m/lib"

var _ = lib.Retry
`
	for _, test := range []struct{ options, want string }{
		{"waits: [example.com/m/lib.Retry]", ""},
		{"waits: [example.com/m/lib.hidden, example.com/m/lib.Retry]", ""},
		{"writes: [(*example.com/m/lib.Client).Apply, (example.com/m/lib.Writer).Store]", ""},
		{"writes: [example.com/elsewhere.Apply]", ""},
		{"waits: [example.com/m/lib.Rety]", `package example.com/m/lib has no function Rety; do you mean Retry\?`},
		{"waits: [example.com/m/lib.Poll]", `package example.com/m/lib has no function Poll`},
		{"waits: [(*example.com/m/lib.Clint).Apply]", `package example.com/m/lib has no type Clint; do you mean Client\?`},
		{"waits: [(*example.com/m/lib.Client).Aply]", `example.com/m/lib.Client has no method Aply; do you mean Apply\?`},
		{"waits: [example.com/m/lib.Writer.Store]", ""},
	} {
		dir := tree(t, code+options("functions:\n  "+test.options))
		if test.want == "" {
			operatorvet(t, dir).want(t, 0, "")
			continue
		}
		name, _, _ := strings.Cut(test.options, ":")
		operatorvet(t, dir).wantLine(t, 1, `\.operatorvet\.yaml:2: functions\.`+name+`\[0\]: `+test.want)
	}
	dir := tree(t, code+options("functions: {waits: [example.com/m/lib.Rety]}"))
	operatorvet(t, dir, "-functions.waits=example.com/m/lib.Retry").want(t, 0, "")
	operatorvet(t, dir, "-functions.waits=example.com/m/lib.Retri", ".").wantLine(t, 1, `-functions\.waits: package example.com/m/lib has no function Retri; do you mean Retry\?`)
}
