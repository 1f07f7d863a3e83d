package edit

import (
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// ReplaceComment replaces a comment that ends its line by a line comment. Where gofmt
// would move that, in a comment of several lines, it abandons the fix.
func (f *Fix) ReplaceComment(pos, end token.Pos, text string) {
	if f.src == nil {
		return
	}
	line := f.src.tok.Line(pos)
	before, after := f.src.around(pos, end)
	if strings.TrimSpace(after) != "" || strings.TrimSpace(before) == "" && (f.src.isComment(line-1) || f.src.isComment(line+1)) {
		f.GiveUp("the comment does not stand alone")
		return
	}
	f.cut(pos, end, text)
}

// RemoveComment removes a comment that ends its line, and the line if nothing else is
// on it.
func (f *Fix) RemoveComment(pos, end token.Pos) {
	if f.src == nil {
		return
	}
	tok := f.src.tok
	line := tok.Line(pos)
	before, after := f.src.around(pos, end)
	switch {
	case strings.TrimSpace(after) != "":
		f.GiveUp("the comment does not stand alone")
	case strings.TrimSpace(before) == "":
		first, last := f.src.linesOfComment(line)
		f.cut(tok.LineStart(first), f.src.endOf(last), "")
	case f.src.isAligned(line-1) || f.src.isAligned(line+1):
		f.GiveUp("comments beside it are aligned with this one")
	default:
		f.cut(pos-token.Pos(len(before)-len(strings.TrimRight(before, " \t"))), end, "")
	}
}

// CutComment removes an element of a list within a comment, and the comma that parts it
// from the next or else from the one before.
func (f *Fix) CutComment(pos, end token.Pos) {
	if f.src == nil {
		return
	}
	before, after := f.src.around(pos, end)
	switch rest, next := strings.CutPrefix(after, ","); {
	case next:
		end += token.Pos(len(after) - len(strings.TrimLeft(rest, " \t")))
	case strings.HasSuffix(strings.TrimRight(before, " \t"), ","):
		pos -= token.Pos(len(before) - len(strings.TrimSuffix(strings.TrimRight(before, " \t"), ",")))
	default:
		f.GiveUp("the comment does not stand alone")
		return
	}
	f.cut(pos, end, "")
}

// cut replaces a range with comments in it. It must contain nothing else.
func (f *Fix) cut(pos, end token.Pos, text string) {
	f.edits = append(f.edits, analysis.TextEdit{Pos: pos, End: end, NewText: []byte(text)})
}

// around returns the text before and after a range on its first and its last line.
func (s *source) around(pos, end token.Pos) (before, after string) {
	before = string(s.text[s.tok.Offset(s.tok.LineStart(s.tok.Line(pos))):s.tok.Offset(pos)])
	after = s.line(end)[end-s.tok.LineStart(s.tok.Line(end)):]
	return before, after
}

// linesOfComment returns the lines that go with a comment on a line of its own: one of
// the blank lines around it, and the empty comment that parts it from prose above.
func (s *source) linesOfComment(line int) (first, last int) {
	switch {
	case s.isBlank(line-1) && line == s.tok.LineCount():
		return line - 1, line
	case s.isBlank(line-1) && s.isBlank(line+1):
		return line, line + 1
	case s.textOf(line-1) == "//" && !s.isComment(line+1):
		return line - 1, line
	case s.isBlank(line-1) && strings.HasPrefix(s.textOf(line+1), "}"):
		return line - 1, line
	case strings.HasSuffix(s.textOf(line-1), "{") && s.isBlank(line+1):
		return line, line + 1
	}
	return line, line
}

// endOf returns the position after a line and its end.
func (s *source) endOf(line int) token.Pos {
	if line < s.tok.LineCount() {
		return s.tok.LineStart(line + 1)
	}
	return token.Pos(s.tok.Base() + s.tok.Size())
}

// isBlank reports whether nothing is on the line. There is nothing before the first.
func (s *source) isBlank(line int) bool { return s.textOf(line) == "" }

// isComment reports whether the line has nothing but a comment.
func (s *source) isComment(line int) bool { return strings.HasPrefix(s.textOf(line), "//") }

// isAligned reports whether a comment follows other text on the line.
func (s *source) isAligned(line int) bool {
	text := s.textOf(line)
	return !s.isComment(line) && (strings.Contains(text, "//") || strings.Contains(text, "/*"))
}

// textOf returns the line without the space around it, or "" if there is no such line.
func (s *source) textOf(line int) string {
	if line < 1 || line > s.tok.LineCount() {
		return ""
	}
	return strings.TrimSpace(s.line(s.tok.LineStart(line)))
}
