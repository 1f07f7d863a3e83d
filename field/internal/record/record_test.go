package record_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/operatorvet/operatorvet/field/internal/record"
)

const mutant = `{"operator":"o/p","commit":"c","module":".","kind":"sort","file":"a.go","line":1,"what":"sort","outcome":"killed","at":"a"}`

func TestDecode(t *testing.T) {
	t.Parallel()
	second := strings.Replace(mutant, `"line":1`, `"line":2`, 1)
	all, err := record.Decode[record.Mutant](strings.NewReader(mutant + "\n" + second + "\n"))
	if err != nil || len(all) != 2 {
		t.Fatal(all, err)
	}
	var out bytes.Buffer
	all[0], all[1] = all[1], all[0]
	if err := record.Encode(&out, all); err != nil {
		t.Fatal(err)
	}
	if out.String() != mutant+"\n"+second+"\n" {
		t.Errorf("got\n%s", &out)
	}
}

func TestDecodeStrictly(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		mutant + "\n" + mutant: "2: the same as line 1",
		mutant + "\n\n":        "2: empty line",
		mutant + mutant:        "1: more than one object",
		strings.Replace(mutant, `"at"`, `"from"`, 1):                              `1: unknown field "from"`,
		strings.Replace(mutant, `"file":"a.go",`, "", 1):                          `1: no "file"`,
		strings.Replace(mutant, `"killed"`, `"found"`, 1):                         `1: "outcome" is "found"; want one of ["killed" "survived" "broken"]`,
		strings.Replace(mutant, `"at":"a"`, `"at":"a","judgment":"bad"`, 1):       `1: "judgment" is "bad"; want one of ["" "bug" "not a bug"]`,
		strings.Replace(mutant, `"at":"a"`, `"at":"a","judgment":"not a bug"`, 1): `1: no "reason" why it is not a bug`,
		strings.Replace(mutant, `1`, `"1"`, 1):                                    "1: cannot unmarshal string into Go struct field Mutant.line of type int",
		mutant[:20]:                                                               "1: unexpected EOF",
	} {
		_, err := record.Decode[record.Mutant](strings.NewReader(text))
		if err == nil || err.Error() != want {
			t.Errorf("%s\ngot %v\nwant %s", text, err, want)
		}
	}
}
