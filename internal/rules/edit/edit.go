// Package edit makes suggested fixes: text edits in one file, complete with
// imports, that remove the cause of a finding. Any driver can apply them without
// review. Where that is not possible there is no fix.
//
// Each fix by itself turns a file that compiles and is formatted into another
// such file. Drivers differ in what they do beyond applying edits: some format
// the result or remove unused imports, an editor does neither.
package edit

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/printer"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"sort"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/astutil"
)

// An Editor makes the fixes of a rule in a package.
type Editor struct {
	pass  *analysis.Pass
	files map[*token.File]*source
	uses  map[*types.PkgName]int // how often each import is used
}

// NewEditor returns an editor of the files of a pass.
func NewEditor(pass *analysis.Pass) *Editor {
	return &Editor{pass: pass, files: make(map[*token.File]*source)}
}

// A source is a file that may be edited.
type source struct {
	file *ast.File
	tok  *token.File
	text []byte
	// dropped has the uses of imports that earlier fixes remove without removing
	// the import.
	dropped map[*types.PkgName]map[*ast.Ident]bool
}

// source returns the file around pos. It returns nil if the file must not or
// cannot be edited: it was generated, it is output of cgo, or it cannot be read.
func (e *Editor) source(pos token.Pos) *source {
	tok := e.pass.Fset.File(pos)
	if src, ok := e.files[tok]; ok {
		return src
	}
	e.files[tok] = nil
	i := slices.IndexFunc(e.pass.Files, func(f *ast.File) bool { return f.FileStart <= pos && pos <= f.FileEnd })
	if i < 0 || e.pass.ReadFile == nil || e.pass.TypesInfo == nil {
		return nil
	}
	file := e.pass.Files[i]
	if ast.IsGenerated(file) || e.pass.Fset.Position(file.Package) != e.pass.Fset.PositionFor(file.Package, false) {
		return nil
	}
	text, err := e.pass.ReadFile(tok.Name())
	if err != nil || len(text) != tok.Size() {
		return nil
	}
	e.files[tok] = &source{file: file, tok: tok, text: text, dropped: make(map[*types.PkgName]map[*ast.Ident]bool)}
	return e.files[tok]
}

// A Fix is a suggested fix under construction. After a step that is not possible
// it accepts no more edits, and there is no fix.
type Fix struct {
	editor  *Editor
	src     *source // nil: not possible
	why     string  // then: why not
	edits   []analysis.TextEdit
	imports []spec
	dropped map[*types.PkgName]map[*ast.Ident]bool
	added   map[string]bool // packages named in new text
}

// At begins a fix of the file around pos.
func (e *Editor) At(pos token.Pos) *Fix {
	f := &Fix{
		editor:  e,
		src:     e.source(pos),
		dropped: make(map[*types.PkgName]map[*ast.Ident]bool),
		added:   make(map[string]bool),
	}
	if f.src == nil {
		f.why = "the file is generated, or is not the one that was analysed"
	}
	return f
}

// A Proposal is a fix, or says why there is none.
type Proposal struct {
	Fix *analysis.SuggestedFix
	Why string // if Fix is nil: the reason, as in "no fix: the context is not in scope here"
}

// None is the proposal of no fix, for a reason.
func None(why string) Proposal { return Proposal{Why: why} }

// GiveUp abandons the fix. The first reason counts.
func (f *Fix) GiveUp(why string) {
	if f.src != nil {
		f.src, f.why = nil, why
	}
}

// Path returns the nodes around the range, the innermost one first.
func (f *Fix) Path(pos, end token.Pos) []ast.Node {
	if f.src == nil {
		return nil
	}
	file := *f.src.file
	if decls := f.src.declsAt(pos, end); len(decls) == 1 && decls[0].Pos() <= pos && end <= decls[0].End() {
		file.Decls = decls
	}
	path, _ := astutil.PathEnclosingInterval(&file, pos, end)
	path[len(path)-1] = f.src.file
	return path
}

// Scope returns the innermost scope around pos.
func (f *Fix) Scope(pos token.Pos) *types.Scope {
	scopes := f.editor.pass.TypesInfo.Scopes
	for _, decl := range f.src.declsAt(pos, pos) {
		if decl, ok := decl.(*ast.FuncDecl); ok {
			if scope := scopes[decl.Type]; scope != nil && scope.Contains(pos) {
				return scope.Innermost(pos)
			}
		}
	}
	return scopes[f.src.file].Innermost(pos)
}

// GoVersion returns the language version of the file, or "" if it is not known.
func (f *Fix) GoVersion() string {
	if f.src == nil {
		return ""
	}
	return f.editor.pass.TypesInfo.FileVersions[f.src.file]
}

// Fresh returns the first of some names that is not declared at n and not used
// within it. If all are taken it abandons the fix.
func (f *Fix) Fresh(n ast.Node, names ...string) string {
	if f.src == nil {
		return ""
	}
	used := make(map[string]bool)
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			used[id.Name] = true
		}
		return true
	})
	for _, name := range names {
		if _, obj := f.Scope(n.Pos()).LookupParent(name, n.Pos()); obj == nil && !used[name] {
			return name
		}
	}
	f.GiveUp("the names that it would use are taken")
	return ""
}

// Insert inserts text at pos.
func (f *Fix) Insert(pos token.Pos, text string) { f.Replace(pos, pos, text) }

// Replace replaces the text of a range, which must contain no comment.
func (f *Fix) Replace(pos, end token.Pos, text string) {
	if f.src == nil {
		return
	}
	if pos < end {
		comments := f.src.file.Comments
		if i := firstEndingAfter(comments, pos); i < len(comments) && comments[i].Pos() < end {
			f.GiveUp("a comment is in the text that would change")
			return
		}
		f.drop(pos, end)
	}
	f.mention(text)
	f.edits = append(f.edits, analysis.TextEdit{Pos: pos, End: end, NewText: []byte(text)})
}

// ReplaceStmt replaces a statement with one that is not formatted yet. The old
// statement must contain no comment and be the first on its line.
func (f *Fix) ReplaceStmt(stmt ast.Stmt, text string) {
	indent := f.Indent(stmt.Pos())
	formatted, err := format.Source([]byte(indent + text))
	if err != nil {
		f.GiveUp("the statement cannot be formatted")
		return
	}
	f.Replace(stmt.Pos(), stmt.End(), strings.TrimPrefix(string(formatted), indent))
}

// drop records the uses of imports in a range that is removed.
func (f *Fix) drop(pos, end token.Pos) {
	record := func(n ast.Node) bool {
		if n == nil || n.End() <= pos || end <= n.Pos() {
			return false
		}
		if id, ok := n.(*ast.Ident); ok {
			if name, ok := f.editor.pass.TypesInfo.Uses[id].(*types.PkgName); ok {
				if f.dropped[name] == nil {
					f.dropped[name] = make(map[*ast.Ident]bool)
				}
				f.dropped[name][id] = true
			}
		}
		return true
	}
	for _, decl := range f.src.declsAt(pos, end) {
		ast.Inspect(decl, record)
	}
}

// declsAt returns the declarations that have a part of a range or touch it. A file may
// have very many of them, and of fixes.
func (s *source) declsAt(pos, end token.Pos) []ast.Decl {
	decls := s.file.Decls[firstEndingAfter(s.file.Decls, pos-1):]
	for i, decl := range decls {
		if end < decl.Pos() {
			return decls[:i]
		}
	}
	return decls
}

// firstEndingAfter returns the index of the first of some nodes, in the order of the
// source, that ends after pos.
func firstEndingAfter[N ast.Node](nodes []N, pos token.Pos) int {
	return sort.Search(len(nodes), func(i int) bool { return nodes[i].End() > pos })
}

// mention records the packages that new text refers to.
func (f *Fix) mention(text string) {
	var s scanner.Scanner
	fset := token.NewFileSet()
	s.Init(fset.AddFile("", -1, len(text)), []byte(text), func(token.Position, string) {}, 0)
	last, name := token.ILLEGAL, ""
	for {
		_, tok, lit := s.Scan()
		if tok == token.EOF {
			return
		}
		if tok == token.PERIOD && name != "" {
			f.added[name] = true
		}
		name = ""
		if tok == token.IDENT && last != token.PERIOD {
			name = lit
		}
		last = tok
	}
}

// InsertLineAfter inserts text after the end of the line that pos is on.
func (f *Fix) InsertLineAfter(pos token.Pos, text string) {
	if f.src == nil {
		return
	}
	line, _, ended := bytes.Cut(f.src.text[f.src.tok.Offset(pos):], []byte("\n"))
	if !ended {
		f.GiveUp("the file ends there")
		return
	}
	f.Insert(pos+token.Pos(len(bytes.TrimSuffix(line, []byte("\r")))), "\n"+text)
}

// Indent returns the white space at the beginning of the line that pos is on.
func (f *Fix) Indent(pos token.Pos) string {
	if f.src == nil {
		return ""
	}
	line := f.src.line(pos)
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// line returns the line that pos is on, without its end.
func (s *source) line(pos token.Pos) string {
	start := s.tok.Offset(s.tok.LineStart(s.tok.Line(pos)))
	line, _, _ := bytes.Cut(s.text[start:], []byte("\n"))
	return string(bytes.TrimSuffix(line, []byte("\r")))
}

// withLineEnds returns text with the line ends of the file: those of its first line.
func (s *source) withLineEnds(text []byte) []byte {
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	if first, _, _ := bytes.Cut(s.text, []byte("\n")); bytes.HasSuffix(first, []byte("\r")) {
		text = bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
	}
	return text
}

// Alone reports whether a node is the first one on its first line, and whether
// at most a comment follows it on its last line.
func (f *Fix) Alone(n ast.Node) bool {
	if f.src == nil {
		return false
	}
	tok := f.src.tok
	before := f.src.text[tok.Offset(tok.LineStart(tok.Line(n.Pos()))):tok.Offset(n.Pos())]
	after, _, _ := bytes.Cut(f.src.text[tok.Offset(n.End()):], []byte("\n"))
	after = bytes.TrimSpace(after)
	return len(bytes.TrimSpace(before)) == 0 && (len(after) == 0 || bytes.HasPrefix(after, []byte("//")))
}

// Text returns the source text of a node, as gofmt writes it and without
// comments.
func (f *Fix) Text(n ast.Node) string {
	var out strings.Builder
	if err := (&printer.Config{Mode: printer.UseSpaces | printer.TabIndent, Tabwidth: 8}).Fprint(&out, f.editor.pass.Fset, n); err != nil {
		f.GiveUp("the code cannot be printed")
	}
	return out.String()
}

// Source returns the source text of a range.
func (f *Fix) Source(pos, end token.Pos) string {
	if f.src == nil {
		return ""
	}
	return string(f.src.text[f.src.tok.Offset(pos):f.src.tok.Offset(end)])
}

// Done returns the fix, unless it was abandoned. The message is an imperative phrase.
func (f *Fix) Done(message string) Proposal {
	if len(f.edits) == 0 {
		f.GiveUp("no change certainly keeps the meaning of the code")
	}
	if f.src == nil {
		return None(f.why)
	}
	for name, ids := range f.dropped {
		if f.src == nil {
			return None(f.why) // an import before this one cannot be removed
		}
		if f.added[name.Name()] {
			continue
		}
		all := len(f.src.dropped[name])
		for id := range ids {
			if !f.src.dropped[name][id] {
				all++
			}
		}
		switch uses := f.editor.usesOf(name); {
		case len(ids) == uses:
			f.removeImport(name)
		case all == uses:
			// Together with earlier fixes this one would leave the import
			// unused, which no single fix can know. It is offered again when
			// those are applied.
			return None("other fixes of the file come first; run again")
		case f.src.dropped[name] == nil:
			f.src.dropped[name] = ids
		default:
			maps.Copy(f.src.dropped[name], ids)
		}
	}
	f.addImports()
	if f.src == nil {
		return None(f.why)
	}
	slices.SortStableFunc(f.edits, func(a, b analysis.TextEdit) int {
		if a.Pos != b.Pos {
			return int(a.Pos - b.Pos)
		}
		return int(a.End - b.End)
	})
	// Insertions at one point become one edit. Some drivers drop equal edits of
	// two fixes, which would put the remaining parts next to each other.
	edits := f.edits[:1]
	for _, e := range f.edits[1:] {
		last := &edits[len(edits)-1]
		switch {
		case e.Pos < last.End:
			return None("its changes overlap")
		case e.Pos == last.Pos && e.End == last.End:
			last.NewText = append(last.NewText, e.NewText...)
		default:
			edits = append(edits, e)
		}
	}
	for i := range edits {
		edits[i].NewText = f.src.withLineEnds(edits[i].NewText)
	}
	return Proposal{Fix: &analysis.SuggestedFix{Message: message, TextEdits: edits}}
}

// usesOf returns how often the file uses an import.
func (e *Editor) usesOf(name *types.PkgName) int {
	if e.uses == nil {
		e.uses = make(map[*types.PkgName]int)
		for _, obj := range e.pass.TypesInfo.Uses {
			if name, ok := obj.(*types.PkgName); ok {
				e.uses[name]++
			}
		}
	}
	return e.uses[name]
}
