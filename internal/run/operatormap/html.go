package operatormap

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"
)

//go:embed map.html.tmpl
var page string

// HTML writes the map as one page with an SVG graph, which makes no request to any host.
// Sources are linked below the prefix: a directory or an address that ends with a slash, or
// "" for links relative to the page.
func (m *Map) HTML(w io.Writer, title, sources string) error {
	t, err := template.New("map").Funcs(template.FuncMap{
		"path":    path,
		"classes": func() []string { return []string{"watch", "hides", "write", "unwatched"} },
		"source":  func(at string) string { return sources + strings.Replace(at, ":", "#L", 1) },
		"join":    func(list []string) string { return strings.Join(list, ", ") },
	}).Parse(page)
	if err != nil {
		return err
	}
	return t.Execute(w, struct {
		Title string
		*Map
		*drawing
	}{title, m, m.draw()})
}

// path returns the curve of an edge.
func path(e *edge) string {
	x1, y1, x2, y2 := e.ends()
	bend := (x1 + x2) / 2
	return fmt.Sprintf("M%.0f,%.0f C%.0f,%.0f %.0f,%.0f %.0f,%.0f", x1, y1, bend, y1, bend, y2, x2, y2)
}
