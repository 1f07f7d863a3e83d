package operatormap

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Mermaid writes the map as a Mermaid flowchart, which GitHub renders in Markdown. Kinds
// that a controller watches are on its left, kinds that it writes on its right. An output
// that it does not watch has a red edge, a watch of which a predicate hides changes a
// dashed one.
func (m *Map) Mermaid(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, "flowchart LR")
	g := &graph{out: out, kinds: make(map[string]string)}
	for i, c := range m.Controllers {
		g.controller(fmt.Sprint("c", i), c)
	}
	if len(g.red) > 0 {
		fmt.Fprintf(out, "\tlinkStyle %s stroke:#d1242f\n", strings.Join(g.red, ","))
	}
	return out.Flush()
}

// graph is a flowchart that is being written.
type graph struct {
	out   io.Writer
	kinds map[string]string // the IDs of their nodes
	edges int
	red   []string // the numbers of edges
}

func (g *graph) controller(id string, c Controller) {
	fmt.Fprintf(g.out, "\t%s[\"%s\"]\n", id, quoted(c.Name))
	for _, e := range watchEdges(c) {
		arrow := "-->"
		if e.hides {
			arrow = "-.->"
		}
		g.edge(g.kind(e.kind), arrow, e.label, id)
	}
	for _, e := range writeEdges(c) {
		if e.unwatched {
			g.red = append(g.red, fmt.Sprint(g.edges))
		}
		g.edge(id, "-->", e.label, g.kind(e.kind))
	}
}

func (g *graph) edge(from, arrow, label, to string) {
	fmt.Fprintf(g.out, "\t%s %s|\"%s\"| %s\n", from, arrow, quoted(label), to)
	g.edges++
}

// kind returns the node of a kind.
func (g *graph) kind(name string) string {
	id, ok := g.kinds[name]
	if !ok {
		id = fmt.Sprint("k", len(g.kinds))
		g.kinds[name] = id
		fmt.Fprintf(g.out, "\t%s([\"%s\"])\n", id, quoted(name))
	}
	return id
}

// quoted returns a text for use between double quotes.
func quoted(text string) string { return strings.ReplaceAll(text, `"`, "#quot;") }

// A watchEdge joins the watches of one kind by one step of the builder.
type watchEdge struct {
	kind, label string
	hides       bool
}

func watchEdges(c Controller) []watchEdge {
	var all []watchEdge
	for _, w := range c.Watches {
		if w.Kind == "" {
			continue
		}
		e := watchEdge{kind: w.Kind, label: w.By, hides: len(w.Hides) > 0}
		if e.hides {
			e.label += ", hides " + strings.Join(w.Hides, ", ")
		}
		if !slices.Contains(all, e) {
			all = append(all, e)
		}
	}
	return all
}

// A writeEdge joins the writes of one kind.
type writeEdge struct {
	kind, label string
	unwatched   bool // it is an output that the controller does not watch
}

func writeEdges(c Controller) []writeEdge {
	var all []writeEdge
	for _, w := range c.Writes {
		if w.Kind == "" {
			continue
		}
		verb := w.Verb
		if w.Subresource {
			verb += " subresource"
		}
		unwatched := w.Owner != "" && !w.Watched && !slices.Contains(c.For, w.Kind)
		i := slices.IndexFunc(all, func(e writeEdge) bool { return e.kind == w.Kind })
		if i < 0 {
			all = append(all, writeEdge{kind: w.Kind, label: verb, unwatched: unwatched})
			continue
		}
		if e := &all[i]; !slices.Contains(strings.Split(e.label, ", "), verb) {
			e.label += ", " + verb
		}
		all[i].unwatched = all[i].unwatched || unwatched
	}
	return all
}
