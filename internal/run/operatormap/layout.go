package operatormap

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// The layout has three columns: the kinds that are reconciled or only watched, the
// controllers, and the kinds that are written. Within a column each node is as close to its
// neighbours as the order allows. Lengths are in pixels.
const (
	nodeHeight  = 30
	rowHeight   = 46
	columnGap   = 300
	charWidth   = 7.9
	nodePadding = 24
)

// A node is a kind or a controller in the drawing.
type node struct {
	Name       string
	Controller *Controller // nil for a kind
	Index      int         // of the controller
	Column     int
	X, Y       float64
	Width      float64

	sum   float64 // of the rows of its neighbours
	count float64
}

// MiddleY is where edges end.
func (n *node) MiddleY() float64 { return n.Y + nodeHeight/2 }

// TextX and TextY are where its name begins.
func (n *node) TextX() float64 { return n.X + nodePadding/2 }
func (n *node) TextY() float64 { return n.Y + nodeHeight/2 + 4.5 }

// Anchor is the ID of the controller's section.
func (n *node) Anchor() string { return fmt.Sprint("c", n.Index) }

// An edge joins a kind and a controller.
type edge struct {
	From, To *node
	Label    string
	Class    string // watch, hides, write, unwatched
	Findings []Finding
}

// shift is how far watches are below the middle of a node, and writes above it, so that
// neither hides the other.
func (e *edge) shift() float64 {
	if e.To.Controller != nil {
		return 5
	}
	return -5
}

// ends returns the ends of the edge, which are at the sides of its nodes.
func (e *edge) ends() (x1, y1, x2, y2 float64) {
	x1, x2 = e.From.X+e.From.Width, e.To.X
	if e.From.Column > e.To.Column {
		x1, x2 = e.From.X, e.To.X+e.To.Width
	}
	return x1, e.From.MiddleY() + e.shift(), x2, e.To.MiddleY() + e.shift()
}

// LabelX and LabelY are where its label is: above the middle.
func (e *edge) LabelX() float64 { x1, _, x2, _ := e.ends(); return (x1 + x2) / 2 }
func (e *edge) LabelY() float64 { _, y1, _, y2 := e.ends(); return (y1+y2)/2 - 4 }

// Anchor is the ID of the section of the edge's controller.
func (e *edge) Anchor() string {
	if e.From.Controller != nil {
		return e.From.Anchor()
	}
	return e.To.Anchor()
}

// drawing is a map with positions.
type drawing struct {
	Nodes         []*node
	Edges         []*edge
	Width, Height float64
}

// draw lays the map out.
func (m *Map) draw() *drawing {
	d := new(drawing)
	kinds := make(map[string]*node)
	kind := func(name string, column int) *node {
		n, ok := kinds[name]
		if !ok {
			n = &node{Name: name, Column: column}
			kinds[name] = n
			d.Nodes = append(d.Nodes, n)
		}
		return n
	}
	for _, c := range m.Controllers {
		for _, name := range c.For {
			kind(name, 0)
		}
	}
	for _, c := range m.Controllers {
		for _, e := range writeEdges(c) {
			kind(e.kind, 2)
		}
	}
	for i := range m.Controllers {
		c := &m.Controllers[i]
		self := &node{Name: c.Name, Controller: c, Index: i, Column: 1}
		d.Nodes = append(d.Nodes, self)
		for _, e := range watchEdges(*c) {
			class := "watch"
			if e.hides {
				class = "hides"
			}
			d.Edges = append(d.Edges, &edge{From: kind(e.kind, 0), To: self, Label: e.label, Class: class, Findings: m.about(c, "blindpredicate", e.kind)})
		}
		for _, e := range writeEdges(*c) {
			class := "write"
			if e.unwatched {
				class = "unwatched"
			}
			d.Edges = append(d.Edges, &edge{From: self, To: kind(e.kind, 2), Label: e.label, Class: class, Findings: m.about(c, "", e.kind)})
		}
	}
	d.place()
	return d
}

// about returns the findings about a controller and a kind: those of a rule, or of all but
// blindpredicate.
func (m *Map) about(c *Controller, rule, kind string) []Finding {
	short := kind[strings.LastIndexByte(kind, '/')+1:]
	var all []Finding
	for _, f := range m.Findings {
		names := strings.FieldsFunc(f.Message, func(r rune) bool { return strings.ContainsRune(" .,;()", r) })
		if f.Controller == c.At && (f.Rule == rule || rule == "" && f.Rule != "blindpredicate") && slices.Contains(names, short) {
			all = append(all, f)
		}
	}
	return all
}

// place gives each node its position.
func (d *drawing) place() {
	var columns [3][]*node
	var widths [3]float64
	for _, n := range d.Nodes {
		n.Width = float64(utf8.RuneCountInString(n.Name))*charWidth + nodePadding
		columns[n.Column] = append(columns[n.Column], n)
		widths[n.Column] = max(widths[n.Column], n.Width)
	}
	tallest := 0
	for _, column := range columns {
		tallest = max(tallest, len(column))
	}
	spread := func(column []*node) {
		step := float64(tallest) / float64(max(len(column), 1))
		for i, n := range column {
			n.Y = (float64(i)*step + (step-1)/2) * rowHeight
		}
	}
	for _, column := range columns {
		spread(column)
	}
	for range 8 {
		for _, i := range []int{0, 2, 1} {
			d.towardsNeighbours(columns[i])
			spread(columns[i])
		}
	}
	x := 0.0
	for i, column := range columns {
		for _, n := range column {
			n.X = x
		}
		if len(column) > 0 {
			x += widths[i] + columnGap
		}
	}
	d.Width, d.Height = x-columnGap, float64(tallest)*rowHeight
}

// towardsNeighbours orders the nodes of a column by the mean height of their neighbours.
func (d *drawing) towardsNeighbours(column []*node) {
	for _, n := range column {
		n.sum, n.count = 0, 0
	}
	for _, e := range d.Edges {
		e.From.sum, e.From.count = e.From.sum+e.To.Y, e.From.count+1
		e.To.sum, e.To.count = e.To.sum+e.From.Y, e.To.count+1
	}
	mean := func(n *node) float64 {
		if n.count == 0 {
			return n.Y
		}
		return n.sum / n.count
	}
	slices.SortStableFunc(column, func(a, b *node) int { return cmp.Compare(mean(a), mean(b)) })
	for _, e := range d.Edges { // for the next column
		e.From.sum, e.From.count, e.To.sum, e.To.count = 0, 0, 0, 0
	}
}
