// Package directive reads the comments by which a user suppresses a finding:
//
//	//operatorvet:ignore RULE reason
//	//operatorvet:ignore RULE,RULE reason
//
// Such a comment covers its own line. Alone on its line it covers the line below
// its comment group. If a statement begins on that line, the comment covers the
// whole statement, so one comment above a chain of calls is enough. It does not
// cover what is between the braces of a literal or a block, so that code added
// there later is not suppressed unnoticed.
package directive

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// prefix begins every comment for this linter.
const prefix = "//operatorvet:"

// Directive is a comment for this linter, well-formed or not.
type Directive struct {
	Verb   string // "ignore" in all that mean something
	Rules  []Name // the rules it names
	Reason string // "" if it gives none

	// Misspelt is set if the comment looks like a directive but is prose to Go,
	// because of a space or because it is no line comment. It suppresses nothing.
	Misspelt bool

	pos, end token.Pos // of the comment
	file     *token.File
	line     int    // the line it speaks for
	also     []span // the rest of statements that begin on that line
}

// Name is a word of the comment in the place of a rule's name.
type Name struct {
	Text   string
	offset int // in the comment
}

// slip matches a comment that its author may take for a directive.
var slip = regexp.MustCompile(`^(//|/\*) *operatorvet: *(ignore\s.*?)(\*/)?$`)

// Parse parses the text of a comment. It returns false if the comment is not for
// this linter.
func Parse(comment string) (*Directive, bool) {
	if !strings.Contains(comment, "operatorvet:") {
		return nil, false
	}
	if m := slip.FindStringSubmatch(comment); m != nil && !strings.HasPrefix(comment, prefix+"ignore") {
		d := parse(prefix + m[2])
		d.Misspelt = true
		return d, true
	}
	if !strings.HasPrefix(comment, prefix) {
		return nil, false
	}
	return parse(comment), true
}

// parse parses a comment that begins with the prefix.
func parse(comment string) *Directive {
	rest := comment[len(prefix):]
	d := new(Directive)
	d.Verb, rest = cutWord(rest)
	offset := func() int { return len(comment) - len(rest) }

	// A list may have spaces after its commas.
	for more := true; more; {
		rest = strings.TrimLeftFunc(rest, unicode.IsSpace)
		at := offset()
		var word string
		word, rest = cutWord(rest)
		if word == "" {
			break
		}
		more = strings.HasSuffix(word, ",")
		for part := range strings.SplitSeq(word, ",") {
			if part != "" {
				d.Rules = append(d.Rules, Name{Text: part, offset: at})
			}
			at += len(part) + len(",")
		}
	}

	// Users of nolint write another // before the reason.
	reason := strings.TrimSpace(rest)
	reason = strings.TrimSpace(strings.TrimPrefix(reason, "//"))
	if strings.ContainsFunc(reason, isWordRune) {
		d.Reason = reason
	}
	return d
}

// String returns the directive as it should be written.
func (d *Directive) String() string {
	names := make([]string, len(d.Rules))
	for i, n := range d.Rules {
		names[i] = n.Text
	}
	return strings.TrimSpace(prefix + d.Verb + " " + strings.Join(names, ",") + " " + d.Reason)
}

// Pos and End delimit the comment.
func (d *Directive) Pos() token.Pos { return d.pos }
func (d *Directive) End() token.Pos { return d.end }

// Range returns where in the source the name is. The directive must not be misspelt.
func (d *Directive) Range(n Name) (pos, end token.Pos) {
	pos = d.pos + token.Pos(n.offset)
	return pos, pos + token.Pos(len(n.Text))
}

// Ignores reports whether the directive suppresses findings of the rule. It
// needs a reason to do so, and it never suppresses findings of the rule called
// directive.
func (d *Directive) Ignores(rule string) bool {
	return rule != "directive" && !d.Misspelt && d.Verb == "ignore" && d.Reason != "" &&
		slices.ContainsFunc(d.Rules, func(n Name) bool { return n.Text == rule })
}

// Covers reports whether the directive covers the code at pos.
func (d *Directive) Covers(pos token.Pos) bool {
	if pos < token.Pos(d.file.Base()) || pos > token.Pos(d.file.Base()+d.file.Size()) {
		return false
	}
	return lineOf(d.file, pos) == d.line ||
		slices.ContainsFunc(d.also, func(s span) bool { return s.contains(pos) })
}

// cutWord returns the text before the first space, and the rest.
func cutWord(s string) (word, rest string) {
	i := strings.IndexFunc(s, unicode.IsSpace)
	if i < 0 {
		return s, ""
	}
	return s[:i], s[i:]
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// lineOf returns the line in the file that was parsed. It ignores line comments,
// of which cgo's output has many.
func lineOf(file *token.File, pos token.Pos) int {
	return file.PositionFor(pos, false).Line
}

// InFile returns the directives of a file in source order.
func InFile(fset *token.FileSet, file *ast.File) []*Directive {
	var found []*Directive
	tfile := fset.File(file.FileStart)
	var code map[int]bool
	for _, group := range file.Comments {
		for _, c := range group.List {
			d, ok := Parse(c.Text)
			if !ok {
				continue
			}
			if code == nil {
				code = linesOfCode(tfile, file)
			}
			d.file, d.pos, d.end = tfile, c.Pos(), c.End()
			d.line = lineOf(tfile, c.Pos())
			if !code[d.line] {
				d.line = lineOf(tfile, group.End()) + 1
			}
			found = append(found, d)
		}
	}
	if len(found) > 0 {
		extend(tfile, file, found)
	}
	return found
}
