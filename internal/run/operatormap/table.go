package operatormap

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// JSON writes the map as JSON.
func (m *Map) JSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "\t")
	enc.SetEscapeHTML(false)
	return enc.Encode(m)
}

// Table writes the map for people, a paragraph for each controller.
func (m *Map) Table(w io.Writer) error {
	out := bufio.NewWriter(w)
	for i, c := range m.Controllers {
		if i > 0 {
			fmt.Fprintln(out)
		}
		fmt.Fprintf(out, "%s: %s\n", c.At, c.Name)
		tab := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
		c.rows(func(head string, cells ...string) {
			fmt.Fprintf(tab, "  %s\t%s\n", head, strings.TrimRight(strings.Join(cells, "\t"), "\t"))
		})
		if err := tab.Flush(); err != nil {
			return err
		}
	}
	return out.Flush()
}

// rows calls row for each line of the controller's paragraph. A head is written once.
func (c Controller) rows(row func(head string, cells ...string)) {
	last := ""
	line := func(head string, cells ...string) {
		if head == last {
			row("", cells...)
			return
		}
		last = head
		row(head, cells...)
	}
	for _, w := range c.Watches {
		var notes []string
		if w.By == "Owns" {
			notes = append(notes, w.Reaches)
		}
		if len(w.Selects) > 0 {
			notes = append(notes, "with "+strings.Join(w.Selects, ", "))
		}
		if len(w.Hides) > 0 {
			notes = append(notes, "hides "+strings.Join(w.Hides, ", "))
		} else if w.Filtered {
			notes = append(notes, "has predicates")
		}
		line("watches", orUnknown(w.Kind), w.By, strings.Join(notes, "; "))
	}
	for _, w := range c.Writes {
		verb := w.Verb
		if w.Subresource {
			verb += " subresource"
		}
		var notes []string
		switch w.Owner {
		case "":
		case "unknown":
			notes = append(notes, "owner unknown")
		case "none":
			notes = append(notes, "no owner")
		default:
			notes = append(notes, w.Owner+" reference")
		}
		if w.Owner != "" && !w.Watched && w.Kind != "" {
			notes = append(notes, "not watched")
		}
		if w.Elsewhere {
			notes = append(notes, "perhaps in another cluster")
		}
		if w.Poll != "" {
			notes = append(notes, w.Poll)
		}
		line("writes", orUnknown(w.Kind), verb, strings.Join(notes, "; "), strings.Join(w.At, ", "))
	}
	for _, r := range c.Reads {
		line("reads", r.Kind, strings.Join(r.Fields, ", "))
	}
	for _, f := range c.Finalizers {
		line("finalizer", f)
	}
	for _, u := range c.Unknown {
		line("unknown", u)
	}
}

func orUnknown(kind string) string {
	if kind == "" {
		return "unknown kind"
	}
	return kind
}
