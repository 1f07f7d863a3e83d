// Package output writes what a run found, for people and for programs.
package output

import (
	"bufio"
	"cmp"
	"fmt"
	"go/token"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/operatorvet/operatorvet/internal/engine/place"
	"github.com/operatorvet/operatorvet/internal/rules/cause"
	"github.com/operatorvet/operatorvet/internal/run/driver"
)

// Style is how people want findings written.
type Style struct {
	Colour bool
	// Steps adds the steps of each finding, and what to do about it.
	Steps bool
}

// The parts of the text that terminals show in another colour.
const bold, dim, green, cyan = "1", "2", "32", "36"

func (s Style) paint(code, text string) string {
	if !s.Colour || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// Text writes a finding for each cause, with the line of source that it is about and
// the other places of the cause. Paths are relative to dir where they can be.
func Text(w io.Writer, rep *driver.Report, dir string, style Style) error {
	t := text{bufio.NewWriter(w), make(sources), dir, style}
	for _, group := range causes(rep.Findings, dir) {
		f := group.First()
		fmt.Fprintf(t.out, "%s %s: %s\n", style.paint(bold, t.place(f.Pos)+":"), f.Rule, t.short(rep, cmp.Or(f.Full, f.Message)))
		t.source("\t", f.Pos, f.End)
		if more := group.More(itemIn(dir), len(rep.Findings)); more != "" {
			fmt.Fprintf(t.out, "\t%s\n", t.short(rep, more))
		}
		if style.Steps {
			t.steps(f)
		}
	}
	t.summary(rep)
	return t.out.Flush()
}

// causes groups findings by cause.
func causes(findings []driver.Finding, dir string) []cause.Group[driver.Finding] {
	return cause.Groups(findings, itemIn(dir))
}

// itemIn returns what grouping needs to know of a finding. Places are relative to dir.
func itemIn(dir string) func(driver.Finding) cause.Item {
	return func(f driver.Finding) cause.Item {
		return cause.Item{
			Rule: f.Rule, At: f.Pos.String(), Cause: f.Cause,
			Place: fmt.Sprintf("%s:%d", relative(dir, f.Pos.Filename), f.Pos.Line),
		}
	}
}

// text writes findings for people.
type text struct {
	out   *bufio.Writer
	src   sources
	dir   string
	style Style
}

// short returns a message in which the places are relative to the directory, as those of
// the findings are.
func (t text) short(rep *driver.Report, message string) string {
	for _, module := range slices.Backward(slices.Sorted(maps.Keys(rep.Modules))) {
		if dir := relative(t.dir, rep.Modules[module]); dir == "." {
			message = place.Shorten(message, module, "")
		} else {
			message = place.Shorten(message, module, filepath.ToSlash(dir)+"/")
		}
	}
	return place.Shorten(message, "command-line-arguments", "")
}

// place returns a position as terminals and editors open it.
func (t text) place(p token.Position) string {
	return fmt.Sprintf("%s:%d:%d", relative(t.dir, p.Filename), p.Line, p.Column)
}

// source writes the line of source at a position, and marks the part of it up to end.
func (t text) source(indent string, from, to token.Position) {
	if line, mark, ok := underline(t.src.line(from.Filename, from.Line), from, to); ok {
		fmt.Fprintf(t.out, "%s%s\n%s%s\n", indent, line, indent, t.style.paint(green, mark))
	}
}

// steps writes the steps of a finding and its remedy.
func (t text) steps(f driver.Finding) {
	for i, s := range f.Steps {
		fmt.Fprintf(t.out, "\t%d. ", i+1)
		if s.From.Filename != "" {
			fmt.Fprintf(t.out, "%s ", t.style.paint(dim, t.place(s.From)+":"))
		}
		fmt.Fprintln(t.out, s.Text)
		t.source("\t   ", s.From, s.To)
	}
	if f.Remedy != "" {
		fmt.Fprintf(t.out, "\t%s %s\n", t.style.paint(cyan, "remedy:"), f.Remedy)
	}
	for _, fix := range f.Fixes {
		fmt.Fprintf(t.out, "\t%s %s\n", t.style.paint(cyan, "-fix:"), fix.Message)
	}
	if f.NoFix != "" {
		fmt.Fprintf(t.out, "\t%s %s\n", t.style.paint(cyan, "no fix:"), f.NoFix)
	}
}

// NoFixes writes a line for each finding of which is known why it has no fix.
func NoFixes(w io.Writer, findings []driver.Finding, dir string) {
	for _, f := range findings {
		if f.NoFix == "" {
			continue
		}
		fmt.Fprintf(w, "operatorvet: %s:%d:%d: no fix for %s: %s\n", relative(dir, f.Pos.Filename), f.Pos.Line, f.Pos.Column, f.Rule, f.NoFix)
	}
}

// summary writes one line: how many findings there are of each rule, and how to go on. It
// writes nothing if there are no findings.
func (t text) summary(rep *driver.Report) {
	if len(rep.Findings) == 0 {
		return
	}
	count := make(map[string]int)
	files := make(map[string]bool)
	fixes := 0
	for _, f := range rep.Findings {
		count[f.Rule]++
		files[f.Pos.Filename] = true
		if len(f.Fixes) > 0 {
			fixes++
		}
	}
	var rules []string
	for _, rule := range slices.Sorted(maps.Keys(count)) {
		rules = append(rules, fmt.Sprint(rule, " ", count[rule]))
	}
	line := fmt.Sprintf("%s in %s: %s", number(len(rep.Findings), "finding"), number(len(files), "file"), strings.Join(rules, ", "))
	if n := len(causes(rep.Findings, t.dir)); n < len(rep.Findings) {
		line += fmt.Sprintf("; %s", number(n, "cause"))
	}
	if fixes > 0 {
		line += fmt.Sprintf("; %s, applied by -fix", number(fixes, "fix"))
	}
	fmt.Fprintf(t.out, "%s; operatorvet help RULE explains a rule\n", line)
}

// number returns "1 file" or "2 files".
func number(n int, noun string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(noun, "x"):
		noun += "es"
	default:
		noun += "s"
	}
	return fmt.Sprint(n, " ", noun)
}

// underline returns the line without its indentation and a line that marks the part of
// it from one position to the other.
func underline(line string, pos, end token.Position) (text, mark string, ok bool) {
	from := pos.Column - 1
	if from < 0 || from >= len(line) {
		return "", "", false
	}
	to := len(line)
	if end.Filename == pos.Filename && end.Line == pos.Line {
		to = min(max(end.Column-1, from), len(line))
	}
	text = strings.TrimLeft(line, " \t")
	before := line[min(len(line)-len(text), from):from]
	length := utf8.RuneCountInString(strings.TrimRight(line[from:to], " \t"))

	// Tabs must stay tabs, or the mark is off.
	indent := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, before)
	return strings.TrimRight(text, " \t"), indent + "^" + strings.Repeat("~", max(length-1, 0)), true
}

// sources holds the lines of files that were shown.
type sources map[string][]string

// line returns a line of a file, or "".
func (s sources) line(file string, n int) string {
	lines, ok := s[file]
	if !ok {
		data, _ := os.ReadFile(file) // without the source there is still the finding
		lines = strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
		s[file] = lines
	}
	if n < 1 || n > len(lines) {
		return ""
	}
	return lines[n-1]
}

// relative returns the path of file relative to dir if it lies below dir.
func relative(dir, file string) string {
	rel, err := filepath.Rel(dir, file)
	if err != nil || !filepath.IsLocal(rel) {
		return file
	}
	return rel
}

// repository returns the directory of the git repository that dir is in, or dir.
func repository(dir string) string {
	for d := dir; ; {
		if _, err := os.Stat(filepath.Join(d, ".git")); err == nil {
			return d
		}
		parent := filepath.Dir(d)
		if parent == d {
			return dir
		}
		d = parent
	}
}

// Failures writes a line for each package that was not analysed.
func Failures(w io.Writer, rep *driver.Report, dir string) {
	for _, f := range rep.Failures {
		fmt.Fprintf(w, "operatorvet: %s\n", failureLine(f, dir))
	}
}
