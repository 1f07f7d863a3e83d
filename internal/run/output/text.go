// Package output writes what a run found, for people and for programs.
package output

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/operatorvet/operatorvet/internal/rules/cause"
	"github.com/operatorvet/operatorvet/internal/run/driver"
)

// Text writes a finding for each cause, with the line of source that it is about and
// the other places of the cause. Paths are relative to dir where they can be.
func Text(w io.Writer, rep *driver.Report, dir string, colour bool) error {
	paint := func(code, s string) string {
		if !colour || s == "" {
			return s
		}
		return "\x1b[" + code + "m" + s + "\x1b[0m"
	}
	const bold, dim, green = "1", "2", "32"

	out := bufio.NewWriter(w)
	src := make(sources)
	item := func(f driver.Finding) cause.Item {
		return cause.Item{
			Rule: f.Rule, At: f.Pos.String(), Cause: f.Cause,
			Place: fmt.Sprintf("%s:%d", relative(dir, f.Pos.Filename), f.Pos.Line),
		}
	}
	for _, group := range cause.Groups(rep.Findings, item) {
		f := group.First()
		place := fmt.Sprintf("%s:%d:%d:", relative(dir, f.Pos.Filename), f.Pos.Line, f.Pos.Column)
		fmt.Fprintf(out, "%s %s %s\n", paint(bold, place), f.Message, paint(dim, "("+f.Rule+")"))
		if line, mark, ok := underline(src.line(f.Pos.Filename, f.Pos.Line), f); ok {
			fmt.Fprintf(out, "\t%s\n\t%s\n", line, paint(green, mark))
		}
		if more := group.More(item, len(rep.Findings)); more != "" {
			fmt.Fprintf(out, "\t%s\n", more)
		}
	}
	return out.Flush()
}

// underline returns the line without its indentation and a line that marks the
// finding's part of it.
func underline(line string, f driver.Finding) (text, mark string, ok bool) {
	from := f.Pos.Column - 1
	if from < 0 || from >= len(line) {
		return "", "", false
	}
	to := len(line)
	if f.End.Filename == f.Pos.Filename && f.End.Line == f.Pos.Line {
		to = min(max(f.End.Column-1, from), len(line))
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
