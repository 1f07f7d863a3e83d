package output_test

import (
	"bytes"
	"encoding/json"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/internal/rules/cause"
	"github.com/operatorvet/operatorvet/internal/run/driver"
	"github.com/operatorvet/operatorvet/internal/run/load"
	"github.com/operatorvet/operatorvet/internal/run/output"
)

// oneFinding returns a report with a finding about the given part of line 2 of a
// file in dir, which has a fix that deletes it.
func oneFinding(t *testing.T, dir, line, part string) *driver.Report {
	t.Helper()
	file := filepath.Join(dir, "pkg", "a b.go")
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	before := "package p\n"
	if err := os.WriteFile(file, []byte(before+line+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	i := strings.Index(line, part)
	at := func(i int) token.Position {
		return token.Position{Filename: file, Offset: len(before) + i, Line: 2, Column: i + 1}
	}
	return &driver.Report{Findings: []driver.Finding{{
		Rule:    "bad",
		Package: "example.com/p",
		Pos:     at(i),
		End:     at(i + len(part)),
		Message: `it is <bad> & "ugly"`,
		URL:     "https://example.com/bad",
		Fixes: []driver.Fix{{
			Message: "delete it",
			Edits:   []driver.Edit{{Pos: at(i), End: at(i + len(part)), New: "x"}},
		}},
	}}}
}

// findings returns text output without its last line, the summary.
func findings(t *testing.T, out string) string {
	t.Helper()
	i := strings.LastIndexByte(strings.TrimSuffix(out, "\n"), '\n') + 1
	if !strings.HasSuffix(out[i:], "; operatorvet help RULE explains a rule\n") {
		t.Errorf("no summary at the end of\n%s", out)
	}
	return out[:i]
}

func TestTextMarksTheFinding(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ line, part, place, shown, mark string }{
		{"bad", "bad", "2:1", "bad", "^~~"},
		{"\t\tx := bad + 1", "bad", "2:8", "x := bad + 1", "     ^~~"},
		{"  a\t= bad", "bad", "2:7", "a\t= bad", " \t  ^~~"},
		{`s := "é" + bad`, "bad", "2:13", `s := "é" + bad`, "           ^~~"},
		{"\tbad \r", "bad", "2:2", "bad", "^~~"},
		{"x", "", "2:1", "x", "^"},
	} {
		dir := t.TempDir()
		rep := oneFinding(t, dir, test.line, test.part)
		var out bytes.Buffer
		if err := output.Text(&out, rep, dir, output.Style{}); err != nil {
			t.Fatal(err)
		}
		want := filepath.Join("pkg", "a b.go") + ":" + test.place + `: bad: it is <bad> & "ugly"` + "\n\t" + test.shown + "\n\t" + test.mark + "\n"
		if got := findings(t, out.String()); got != want {
			t.Errorf("%q:\ngot\n%s\nwant\n%s", test.line, got, want)
		}
	}
}

func TestTextMarksTheFirstOfSeveralLines(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rep := oneFinding(t, dir, "for {", "for")
	rep.Findings[0].End.Line = 3
	var out bytes.Buffer
	if err := output.Text(&out, rep, dir, output.Style{}); err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(findings(t, out.String()), "\n\tfor {\n\t^~~~~\n") {
		t.Errorf("got\n%s", out.String())
	}
}

func TestTextWithoutSource(t *testing.T) {
	t.Parallel()
	rep := oneFinding(t, t.TempDir(), "bad", "bad")
	rep.Findings[0].Pos.Filename = "/gone/x.go"
	var out bytes.Buffer
	if err := output.Text(&out, rep, t.TempDir(), output.Style{}); err != nil {
		t.Fatal(err)
	}
	if want := "/gone/x.go:2:1: bad: it is <bad> & \"ugly\"\n"; findings(t, out.String()) != want {
		t.Errorf("got %q", out.String())
	}
}

// TestCauses checks that people see a finding for each cause, and programs one for
// each place.
func TestCauses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rep := oneFinding(t, dir, "bad", "bad")
	add := func(file string, line int, c cause.Cause) {
		f := rep.Findings[0]
		f.Pos.Filename, f.Pos.Line, f.Pos.Column, f.End = filepath.Join(dir, file), line, 1, token.Position{}
		f.Cause, f.Fixes = c, nil
		rep.Findings = append(rep.Findings, f)
	}
	loop := cause.Cause{Key: "loop", Place: "call"}
	add("x.go", 7, loop)
	add("x.go", 9, cause.Cause{})
	add("y/x.go", 7, loop)
	add("z.go", 1, loop)
	var out bytes.Buffer
	if err := output.Text(&out, rep, dir, output.Style{}); err != nil {
		t.Fatal(err)
	}
	want := filepath.Join("pkg", "a b.go") + ":2:1: bad: it is <bad> & \"ugly\"\n\tbad\n\t^~~\n" +
		"x.go:7:1: bad: it is <bad> & \"ugly\"\n\tand 2 more calls: " + filepath.Join("y", "x.go") + ":7, z.go:1\n" +
		"x.go:9:1: bad: it is <bad> & \"ugly\"\n"
	if got := findings(t, out.String()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for name, test := range map[string]struct {
		write func() error
		entry string
	}{
		"JSON":         {func() error { return output.JSON(&out, rep, nil) }, `"posn"`},
		"SARIF":        {func() error { return output.SARIF(&out, rep, rules, dir, "") }, `"ruleId"`},
		"Code Climate": {func() error { return output.CodeClimate(&out, rep, dir) }, `"check_name"`},
	} {
		out.Reset()
		if err := test.write(); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(out.String(), test.entry); n != len(rep.Findings) || strings.Contains(out.String(), "more calls") {
			t.Errorf("%s: %d entries, want %d\n%s", name, n, len(rep.Findings), out.String())
		}
	}
}

func TestColour(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rep := oneFinding(t, dir, "bad", "bad")
	var plain, coloured bytes.Buffer
	if err := output.Text(&plain, rep, dir, output.Style{}); err != nil {
		t.Fatal(err)
	}
	if err := output.Text(&coloured, rep, dir, output.Style{Colour: true}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(plain.String(), "\x1b") || !strings.Contains(coloured.String(), "\x1b[32m^~~\x1b[0m") {
		t.Errorf("plain %q, coloured %q", plain.String(), coloured.String())
	}
}

func TestJSONIsThatOfGoVet(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var out bytes.Buffer
	if err := output.JSON(&out, oneFinding(t, dir, "\tbad", "bad"), nil); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "pkg", "a b.go")
	type edit struct {
		Filename   string
		Start, End int
		New        string
	}
	var got map[string]map[string][]struct {
		Category, Posn, End, Message string
		Fixes                        []struct {
			Message string
			Edits   []edit
		} `json:"suggested_fixes"`
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	d := got["example.com/p"]["bad"][0]
	if d.Category != "bad" || d.Posn != file+":2:2" || d.End != file+":2:5" || d.Message != `it is <bad> & "ugly"` {
		t.Errorf("got %+v", d)
	}
	if want := (edit{file, 11, 14, "x"}); len(d.Fixes) != 1 || d.Fixes[0].Message != "delete it" || d.Fixes[0].Edits[0] != want {
		t.Errorf("fixes %+v", d.Fixes)
	}
}

func TestJSONOfNothingIsAnEmptyObject(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := output.JSON(&out, new(driver.Report), nil); err != nil {
		t.Fatal(err)
	}
	if out.String() != "{}\n" {
		t.Errorf("got %q", out.String())
	}
}

func TestFailureIsOneLine(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rep := &driver.Report{Failures: []load.Failure{
		{Package: "example.com/p", Pos: filepath.Join(dir, "p.go") + ":3:7", Message: "undefined: x"},
		{Package: "example.com/q", Pos: "q.go:1", Message: "expected 'package'"},
		{Package: "./nosuch", Message: "no such directory"},
		{Package: "example.com/r", Message: "internal error in bad at example.com/r: nil map"},
	}}
	var out bytes.Buffer
	output.Failures(&out, rep, dir)
	const want = `operatorvet: example.com/p: p.go:3:7: undefined: x
operatorvet: example.com/q: q.go:1: expected 'package'
operatorvet: ./nosuch: no such directory
operatorvet: internal error in bad at example.com/r: nil map
`
	if out.String() != want {
		t.Errorf("got\n%s", out.String())
	}
}

var rules = []*analysis.Analyzer{
	{Name: "good", Doc: "find good code", URL: "https://example.com/good"},
	{Name: "bad", Doc: "find bad code\n\nBad code\nis bad.\n\n\tbad()\n\nIt is silent on good code.", URL: "https://example.com/bad"},
}

func TestSARIF(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rep := oneFinding(t, dir, "\té bad", "bad")
	rep.Failures = []load.Failure{{Package: "example.com/q", Message: "broken"}}
	var out bytes.Buffer
	if err := output.SARIF(&out, rep, rules, dir, "v1.2.3"); err != nil {
		t.Fatal(err)
	}
	// Columns count characters, not bytes.
	const region = `{"startLine": 2, "startColumn": 4, "endLine": 2, "endColumn": 7}`
	const artifact = `{"uri": "pkg/a%20b.go", "uriBaseId": "%SRCROOT%"}`
	want := `{
		"$schema": "https://json.schemastore.org/sarif-2.1.0.json",
		"version": "2.1.0",
		"runs": [{
			"tool": {"driver": {
				"name": "operatorvet",
				"version": "v1.2.3",
				"informationUri": "https://github.com/operatorvet/operatorvet",
				"rules": [{
					"id": "good",
					"shortDescription": {"text": "find good code"},
					"fullDescription": {"text": "find good code"},
					"help": {"text": "find good code"},
					"helpUri": "https://example.com/good",
					"defaultConfiguration": {"level": "warning"}
				}, {
					"id": "bad",
					"shortDescription": {"text": "find bad code"},
					"fullDescription": {"text": "Bad code is bad."},
					"help": {
						"text": "find bad code\n\nBad code\nis bad.\n\n\tbad()\n\nIt is silent on good code.",
						"markdown": "Bad code is bad.\n\n\tbad()\n\nIt is silent on good code.\n"
					},
					"helpUri": "https://example.com/bad",
					"defaultConfiguration": {"level": "warning"}
				}]
			}},
			"invocations": [{
				"executionSuccessful": false,
				"toolExecutionNotifications": [{"level": "error", "message": {"text": "example.com/q: broken"}}]
			}],
			"originalUriBaseIds": {"%SRCROOT%": {"uri": "file://` + filepath.ToSlash(dir) + `/"}},
			"columnKind": "unicodeCodePoints",
			"results": [{
				"ruleId": "bad",
				"ruleIndex": 1,
				"level": "warning",
				"message": {"text": "it is <bad> & \"ugly\""},
				"locations": [{"physicalLocation": {"artifactLocation": ` + artifact + `, "region": ` + region + `}}],
				"fixes": [{
					"description": {"text": "delete it"},
					"artifactChanges": [{
						"artifactLocation": ` + artifact + `,
						"replacements": [{"deletedRegion": ` + region + `, "insertedContent": {"text": "x"}}]
					}]
				}]
			}]
		}]
	}`
	if got, want := canonical(t, out.Bytes()), canonical(t, []byte(want)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A run without findings is not one whose findings are unknown.
func TestSARIFOfNothingHasResults(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := output.SARIF(&out, new(driver.Report), nil, t.TempDir(), ""); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"results": []`, `"rules": []`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %s in\n%s", want, out.String())
		}
	}
}

func canonical(t *testing.T, data []byte) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%v in\n%s", err, data)
	}
	out, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
