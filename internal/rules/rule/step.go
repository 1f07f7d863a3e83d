package rule

import (
	"cmp"
	"go/token"
	"go/types"
	"path"
	"path/filepath"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/internal/engine/place"
)

// A Step is a place on the way to a finding: the reconciler, a call, the source of a value,
// the write. The steps of a finding are in the order in which a reader follows them.
type Step struct {
	// Pos and End are the range of the step in the package under analysis. If it is in
	// another package, Pos is invalid and At says where.
	Pos, End token.Pos
	At       place.Place
	// Text says what happens there, in a few words: "Reconcile calls ensureConfig".
	Text string
}

// A Mark is a step with the position that a driver shows. The file name is empty if it
// is not known where the step's package is.
type Mark struct {
	From, To token.Position
	Text     string
}

// marks returns the marks of steps.
func (p *Pass) marks(steps []Step) []Mark {
	var marks []Mark
	for _, s := range steps {
		m := Mark{Text: s.Text}
		if s.Pos.IsValid() {
			m.From, m.To = p.Fset.Position(s.Pos), p.Fset.Position(cmp.Or(s.End, s.Pos))
		} else {
			m.From = token.Position{Filename: fileOf(p.Pass, s.At), Line: int(s.At.Line), Column: int(s.At.Column)}
			m.To = m.From
			if m.From.Filename == "" {
				m.Text += " (" + short(p.Pass, s.At.Full()) + ")"
			}
		}
		marks = append(marks, m)
	}
	return marks
}

// related returns steps as related positions. It leaves out those of which the file is
// not known.
func (p *Pass) related(steps []Step) []analysis.RelatedInformation {
	var all []analysis.RelatedInformation
	for _, s := range steps {
		pos, end := s.Pos, s.End
		if !pos.IsValid() {
			pos = p.posOf(s.At)
			end = pos
		}
		if pos.IsValid() {
			all = append(all, analysis.RelatedInformation{Pos: pos, End: end, Message: s.Text})
		}
	}
	return all
}

// posOf returns a position for a place in another package. Drivers turn it into the name of
// the file, line and column. So the file that is added to the pass's file set for it needs no
// content: it has lines as long as the column asks for.
func (p *Pass) posOf(at place.Place) token.Pos {
	name := fileOf(p.Pass, at)
	if name == "" || at.Line < 1 || at.Column < 1 {
		return token.NoPos
	}
	width, lines := int(at.Column), int(at.Line)
	file := p.Fset.AddFile(name, -1, width*lines)
	starts := make([]int, lines)
	for i := range starts {
		starts[i] = i * width
	}
	file.SetLines(starts)
	return file.LineStart(lines) + token.Pos(at.Column-1)
}

// fileOf returns the name of the file of a place, or "" if it is not known. The directory
// of a package is that of its objects.
func fileOf(pass *analysis.Pass, at place.Place) string {
	pkg := imported(pass.Pkg, at.Package(), make(map[*types.Package]bool))
	if pkg == nil {
		return ""
	}
	for _, name := range pkg.Scope().Names() {
		file := pass.Fset.Position(pkg.Scope().Lookup(name).Pos()).Filename
		if filepath.IsAbs(file) {
			return filepath.Join(filepath.Dir(file), path.Base(at.File))
		}
	}
	return ""
}

// imported returns the package with this path among those that pkg imports, directly or
// not, and pkg itself.
func imported(pkg *types.Package, path string, seen map[*types.Package]bool) *types.Package {
	if pkg.Path() == path {
		return pkg
	}
	for _, imp := range pkg.Imports() {
		if seen[imp] {
			continue
		}
		seen[imp] = true
		if found := imported(imp, path, seen); found != nil {
			return found
		}
	}
	return nil
}

// short returns a message in which the places are relative to the module. A place in
// another module keeps the path of its package.
func short(pass *analysis.Pass, message string) string {
	if pass.Module == nil || pass.Module.Path == "" {
		return place.Shorten(message, "command-line-arguments", "")
	}
	return place.Shorten(message, pass.Module.Path, "")
}
