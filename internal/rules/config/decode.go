package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// An assignment gives an option its value.
type assignment struct {
	option Option
	values []string

	file  string // that it is in, or ""
	lines []int  // of the values of a list in a document
}

func (a assignment) apply(o *Options) error { return a.option.set(o, a.values) }

// An Error is an error in an options document: the place, the path of the key,
// and what is wrong with it.
type Error struct {
	File string // empty if the document is no file
	Line int    // 0 if not known
	Text string
}

func (e *Error) Error() string {
	if e.File == "" {
		return e.Text
	}
	return e.Pos() + ": " + e.Text
}

// Pos returns "file:line" as far as it is known.
func (e *Error) Pos() string {
	if e.File == "" || e.Line == 0 {
		return e.File
	}
	return e.File + ":" + strconv.Itoa(e.Line)
}

// parse reads a document with options. Its errors are of type *[Error].
func parse(name string, data []byte) ([]assignment, error) {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, nil // empty, or comments only
	case err != nil:
		return nil, syntaxError(name, err)
	}
	if err := dec.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, &Error{File: name, Text: "want one document, found several"}
	}
	p := &parser{name: name, options: All()}
	err := p.section(doc.Content[0], "")
	return p.found, err
}

var yamlLine = regexp.MustCompile(`^(?:yaml: )?line (\d+): `)

// syntaxError converts an error of the YAML parser.
func syntaxError(name string, err error) error {
	text := strings.Join(strings.Fields(err.Error()), " ")
	if m := yamlLine.FindStringSubmatch(text); m != nil {
		line, _ := strconv.Atoi(m[1])
		return &Error{name, line, text[len(m[0]):]}
	}
	return &Error{File: name, Text: strings.TrimPrefix(text, "yaml: ")}
}

// A parser collects the assignments of a document.
type parser struct {
	name    string
	options []Option
	found   []assignment
}

// section reads the mapping at a path; "" is the whole document.
func (p *parser) section(n *yaml.Node, path string) error {
	n = resolve(n)
	if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		return nil // nothing but comments below the key
	}
	if n.Kind != yaml.MappingNode {
		return p.errorf(n, path, "want keys with values, not %s", describe(n))
	}
	seen := make(map[string]bool)
	for i := 0; i < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if key.Kind != yaml.ScalarNode {
			return p.errorf(key, path, "want a key, not %s", describe(key))
		}
		below := strings.TrimPrefix(path+"."+key.Value, ".")
		if seen[key.Value] {
			return p.errorf(key, below, "set twice")
		}
		seen[key.Value] = true
		if j := slices.IndexFunc(p.options, func(o Option) bool { return o.Name == below }); j >= 0 {
			if err := p.assign(p.options[j], value); err != nil {
				return err
			}
			continue
		}
		if path != "" || !slices.ContainsFunc(p.options, func(o Option) bool { return strings.HasPrefix(o.Name, below+".") }) {
			return p.errorf(key, below, "unknown %s; there %s", p.noun(path), p.keys(path))
		}
		if err := p.section(value, below); err != nil {
			return err
		}
	}
	return nil
}

// assign reads the value of an option.
func (p *parser) assign(option Option, n *yaml.Node) error {
	n = resolve(n)
	a := assignment{option: option, file: p.name}
	switch {
	case option.List:
		if n.Kind != yaml.SequenceNode {
			return p.errorf(n, option.Name, "want a list, not %s", describe(n))
		}
		for i, elem := range n.Content {
			elem = resolve(elem)
			if elem.Kind != yaml.ScalarNode || elem.Tag != "!!str" {
				return p.errorf(elem, fmt.Sprintf("%s[%d]", option.Name, i), "want a text, not %s", describe(elem))
			}
			a.values = append(a.values, elem.Value)
			a.lines = append(a.lines, elem.Line)
		}
	case option.Switch && n.Tag != "!!bool":
		return p.errorf(n, option.Name, "want true or false, not %s", describe(n))
	case n.Kind != yaml.ScalarNode || n.Tag == "!!null":
		return p.errorf(n, option.Name, "want a value, not %s", describe(n))
	default:
		a.values = []string{n.Value}
	}
	if err := a.apply(Default()); err != nil {
		path := option.Name
		if elem := (*elementError)(nil); errors.As(err, &elem) {
			path, n = fmt.Sprintf("%s[%d]", path, elem.index), n.Content[elem.index]
		}
		return p.errorf(n, path, "%v", err)
	}
	p.found = append(p.found, a)
	return nil
}

func (p *parser) errorf(at *yaml.Node, path, format string, args ...any) error {
	text := fmt.Sprintf(format, args...)
	if path != "" {
		text = path + ": " + text
	}
	return &Error{p.name, at.Line, text}
}

func (p *parser) noun(path string) string {
	if path == rulesSection {
		return "rule"
	}
	return "option"
}

// keys lists the keys that may be below a path.
func (p *parser) keys(path string) string {
	var keys []string
	for _, o := range p.options {
		section, key, _ := strings.Cut(o.Name, ".")
		switch {
		case path == "":
			keys = append(keys, section)
		case path == section:
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	if len(keys) == 1 {
		return "is only " + keys[0]
	}
	return "are " + strings.Join(keys, ", ")
}

// resolve returns the node that an alias refers to.
func resolve(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

func describe(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "keys with values"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Tag == "!!null":
		return "nothing"
	}
	return fmt.Sprintf("%q", n.Value)
}
