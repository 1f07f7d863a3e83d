package flow

import (
	"bytes"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"text/template/parse"

	"golang.org/x/tools/go/ssa"

	"github.com/operatorvet/operatorvet/internal/engine/access"
	"github.com/operatorvet/operatorvet/internal/library"
)

// A template calls methods of its data:
//
//	{{ range .Exporters.Namespaces }}  - {{ . }}
//	{{ end }}
//
// What they return becomes part of the text, in its order. A template is parsed from an
// embedded file or from a string. From which of those of the package is not followed: it is
// taken to be one that asks its data for nothing but fields and methods that the data has.
// Results that a function gets, such as one that sorts, are left out.

const (
	// maxTemplates bounds the texts of a package that are known, and maxTemplate the length
	// of a file with one.
	maxTemplates = 200
	maxTemplate  = 1 << 20
)

// A templateText is what a template does with its data.
type templateText struct{ asks []templateField }

// A templateField is a chain of fields and methods that a template asks its data for.
type templateField struct {
	names []string
	shown bool // it is printed or ranged over as it is
}

// templates returns the texts of the package that ask for something.
func (a *analysisState) templates() []templateText {
	if a.texts != nil {
		return a.texts
	}
	a.texts = make([]templateText, 0)
	for _, text := range append(a.embeddedTexts(), literalTexts(a.pass.Files)...) {
		t := parse.New("")
		t.Mode = parse.SkipFuncCheck
		trees := make(map[string]*parse.Tree)
		if len(a.texts) >= maxTemplates {
			break
		}
		if _, err := t.Parse(text, "", "", trees); err != nil {
			continue // another kind of text, or one with other delimiters
		}
		names := make([]string, 0, len(trees))
		for name := range trees {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			found := new(templateText)
			found.list(trees[name].Root, true)
			if len(found.asks) > 0 {
				a.texts = append(a.texts, *found)
			}
		}
	}
	return a.texts
}

// literalTexts returns the string literals with actions of a template.
func literalTexts(files []*ast.File) (texts []string) {
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING && strings.Contains(lit.Value, "{{") {
				if text, err := strconv.Unquote(lit.Value); err == nil {
					texts = append(texts, text)
				}
			}
			return true
		})
	}
	return texts
}

// embeddedTexts returns the content of the files beside the package's Go files that have
// actions of a template. The command has embedded files among them; other drivers do not.
func (a *analysisState) embeddedTexts() (texts []string) {
	if a.pass.ReadFile == nil {
		return nil
	}
	for _, name := range a.pass.OtherFiles {
		data, err := a.pass.ReadFile(name)
		if err == nil && len(data) <= maxTemplate && bytes.Contains(data, []byte("{{")) {
			texts = append(texts, string(data))
		}
	}
	return texts
}

// list notes what the nodes ask the data for. With data, the dot is the data.
func (t *templateText) list(l *parse.ListNode, data bool) {
	if l == nil {
		return
	}
	for _, n := range l.Nodes {
		switch n := n.(type) {
		case *parse.ActionNode:
			t.pipe(n.Pipe, data, len(n.Pipe.Decl) == 0)
		case *parse.TemplateNode:
			t.pipe(n.Pipe, data, false)
		case *parse.IfNode:
			t.branch(&n.BranchNode, data, data, false)
		case *parse.WithNode:
			t.branch(&n.BranchNode, data, false, false)
		case *parse.RangeNode:
			t.branch(&n.BranchNode, data, false, true)
		}
	}
}

// branch notes what an if, with or range asks for. In its list, the dot is the data or not.
func (t *templateText) branch(n *parse.BranchNode, data, inList, shown bool) {
	t.pipe(n.Pipe, data, shown)
	t.list(n.List, inList)
	t.list(n.ElseList, data)
}

func (t *templateText) pipe(p *parse.PipeNode, data, shown bool) {
	if p == nil {
		return
	}
	for _, cmd := range p.Cmds {
		for _, arg := range cmd.Args {
			alone := shown && len(p.Cmds) == 1 && len(cmd.Args) == 1
			switch arg := arg.(type) {
			case *parse.PipeNode:
				t.pipe(arg, data, false)
			case *parse.FieldNode:
				if data {
					t.asks = append(t.asks, templateField{arg.Ident, alone})
				}
			case *parse.VariableNode:
				if arg.Ident[0] == "$" && len(arg.Ident) > 1 {
					t.asks = append(t.asks, templateField{arg.Ident[1:], alone})
				}
			}
		}
	}
}

// methodsInTemplates returns the names of methods that templates of the package may show
// the results of.
func (a *analysisState) methodsInTemplates() (names []string) {
	for _, text := range a.templates() {
		for _, ask := range text.asks {
			if ask.shown {
				names = append(names, ask.names[len(ask.names)-1])
			}
		}
	}
	return names
}

// A templateCall is the call of a method without parameters of what is at the path under
// the data.
type templateCall struct {
	path access.Path
	fn   *types.Func
}

// fits reports whether data of type t has all that the text asks for, and returns the
// methods whose results it shows.
func (t templateText) fits(data types.Type) (shown []templateCall, ok bool) {
	for _, ask := range t.asks {
		call, ok := resolve(data, ask.names)
		if !ok {
			return nil, false
		}
		if ask.shown && call.fn != nil && call.fn.Signature().Params().Len() == 0 && !slices.Contains(shown, call) {
			shown = append(shown, call)
		}
	}
	return shown, true
}

// resolve follows names from data of type t. It returns the method that the last one is, if
// it is one and the others are fields. It reports whether the data may have them.
func resolve(t types.Type, names []string) (call templateCall, ok bool) {
	direct := true
	for i, name := range names {
		t = library.Deref(t)
		var obj types.Object
		var index []int
		if token.IsExported(name) {
			obj, index, _ = types.LookupFieldOrMethod(t, true, nil, name)
		}
		switch obj := obj.(type) {
		case *types.Var:
			call.path = call.path.Join(embeddedPath(t, index)).Field(name)
			t = obj.Type()
		case *types.Func:
			if i == len(names)-1 && direct {
				call.fn = obj
				return call, true
			}
			if obj.Signature().Results().Len() == 0 {
				return templateCall{}, false
			}
			direct, t = false, obj.Signature().Results().At(0).Type()
		default:
			switch t.Underlying().(type) {
			case *types.Map, *types.Interface:
				return templateCall{}, true // a key, or what is not known
			}
			return templateCall{}, false
		}
	}
	return templateCall{}, true
}

// rendered returns the labels of what the methods return that a template calls, if the call
// executes one.
func (in *interp) rendered(fr *frame, c target, s *callSite) labels {
	i, ok := c.known().Args.Of(library.RenderedArg, len(s.args))
	if !ok {
		return nil
	}
	var ls labels
	for _, r := range s.args[i].refs {
		t := in.typeOf(in.typeNameOf(r))
		if t == nil {
			continue
		}
		for _, text := range in.templates() {
			shown, _ := text.fits(t)
			for _, call := range shown {
				ls = ls.union(in.shownBy(fr, call, r, t, s))
			}
		}
	}
	return ls
}

// shownBy returns the labels of what the method returns that a template calls of its data,
// which is at r and has the type t.
func (in *interp) shownBy(fr *frame, call templateCall, r loc, t types.Type, s *callSite) labels {
	v := refTo(r)
	for step := range call.path.Steps() {
		field, _, _ := types.LookupFieldOrMethod(t, true, in.pass.Pkg, step.Name)
		if field == nil {
			return nil
		}
		t = field.Type()
		v = v.under(access.Fields(step.Name), nil)
		if isAggregate(t) {
			v = in.place(v, s.st)
		} else {
			v = in.load(v, s.st, t)
		}
	}
	var ls labels
	for _, recv := range v.refs {
		m, ok := in.method(library.TypeName(t), call.fn.Name(), recv)
		if !ok {
			continue
		}
		site := &callSite{instr: s.instr, args: []value{refTo(recv)}, vals: make([]ssa.Value, 1), st: s.st, via: s.via, inner: true}
		if len(m.recv) > 0 {
			site.args, m.recv = m.recv, nil
		}
		if results := in.invoke(fr, m, nil, site); len(results) > 0 {
			ls = ls.union(in.allLabels(results[0], s.st))
		}
	}
	return ls
}
