package apply

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
)

// tidy formats what edits have made of a file, as gofmt does, if the file was
// formatted before. It keeps line ends of carriage return and line feed, which gofmt
// does not. An import added by two edits is there once.
func tidy(old, edited []byte) ([]byte, error) {
	if formatted(old) {
		return format.Source(edited)
	}
	if plain, ok := withoutReturns(old); ok && formatted(plain) {
		if edited, ok := withoutReturns(edited); ok {
			text, err := format.Source(edited)
			return bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")), err
		}
	}
	return withoutDoubleImports(edited)
}

// formatted reports whether gofmt would leave the file as it is.
func formatted(text []byte) bool {
	want, err := format.Source(text)
	return err == nil && bytes.Equal(text, want)
}

// withoutReturns returns the text with lines that end in a line feed alone. It returns
// false if some line ends so already.
func withoutReturns(text []byte) ([]byte, bool) {
	plain := bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	return plain, len(text)-len(plain) == bytes.Count(plain, []byte("\n")) && !bytes.Contains(plain, []byte("\r"))
}

// withoutDoubleImports removes the lines of imports that the file has twice under the
// same name.
func withoutDoubleImports(text []byte) ([]byte, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var kept []byte
	at := 0
	seen := make(map[string]bool)
	lines := fset.File(file.FileStart)
	for _, imp := range file.Imports {
		line := lines.Line(imp.Pos())
		spec := text[lines.Offset(imp.Pos()):lines.Offset(imp.End())]
		if seen[string(spec)] && alone(file, lines, imp) {
			kept = append(kept, text[at:lines.Offset(lines.LineStart(line))]...)
			at = lines.Offset(lines.LineStart(line + 1))
		}
		seen[string(spec)] = true
	}
	return append(kept, text[at:]...), nil
}

// alone reports whether an import has its lines for itself, and others follow.
func alone(file *ast.File, lines *token.File, imp *ast.ImportSpec) bool {
	line := lines.Line(imp.Pos())
	if line >= lines.LineCount() {
		return false
	}
	for _, other := range file.Imports {
		if other != imp && (lines.Line(other.Pos()) == line || lines.Line(other.End()) == line) {
			return false
		}
	}
	for _, decl := range file.Decls {
		if decl, ok := decl.(*ast.GenDecl); ok && decl.Lparen.IsValid() && (lines.Line(decl.Lparen) == line || lines.Line(decl.Rparen) == line) {
			return false
		}
	}
	return true
}
