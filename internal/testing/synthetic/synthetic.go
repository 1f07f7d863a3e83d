// Package synthetic writes programs of any size, for tests of growth and for
// benchmarks. A program is always the same, and needs only the standard library.
package synthetic

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

// nextFile separates the files of a program.
const nextFile = "\n-- next --\n"

// Shapes has functions that return a program of size n: n functions, lines or
// other parts.
var Shapes = map[string]func(n int) string{
	// Chains of 200 calls, which pass on an object and a value.
	"chains": func(n int) string {
		var b strings.Builder
		for i := range n {
			if i%200 == 199 || i == n-1 {
				fmt.Fprintf(&b, "func f%d(o *object, s string) string { o.spec.name = s; return s }\n", i)
				continue
			}
			fmt.Fprintf(&b, "func f%d(o *object, s string) string { o.labels[s] = f%d(o, s); return o.spec.name }\n", i, i+1)
		}
		return b.String()
	},
	// A ring of functions that call each other.
	"recursion": func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "func f%d(o *object, s string) string { if s == o.spec.name { return s }; o.items = append(o.items, s); return f%d(o, s+\"x\") }\n", i, (i+1)%n)
		}
		return b.String()
	},
	// Implementations of an interface, called through it in one place.
	"implementations": func(n int) string {
		var b strings.Builder
		b.WriteString("type step interface { run(o *object) error }\nfunc all(steps []step, o *object) error { for _, s := range steps { if err := s.run(o); err != nil { return err } }; return nil }\n")
		for i := range n {
			fmt.Fprintf(&b, "type t%d struct{ name string }\nfunc (t *t%d) run(o *object) error { for k := range o.labels { o.items = append(o.items, k+t.name) }; return nil }\n", i, i)
		}
		b.WriteString("func reconcile(o *object) error { return all([]step{\n")
		for i := range n {
			fmt.Fprintf(&b, "&t%d{},\n", i)
		}
		b.WriteString("}, o) }\n")
		return b.String()
	},
	// One function of n lines.
	"lines": func(n int) string {
		var b strings.Builder
		b.WriteString("func f(o *object, a, b string) {\n")
		for i := range n {
			fmt.Fprintf(&b, "if a == b { o.labels[\"k%d\"] = a + b }\n", i)
		}
		b.WriteString("}\n")
		return b.String()
	},
	// Independent controllers of three functions, each with a loop that waits and a
	// builder, fifty to a file. A fix looks at the whole file of its finding.
	"controllers": func(n int) string {
		var b strings.Builder
		for i := range (n + 2) / 3 {
			if i%50 == 0 {
				b.WriteString(nextFile)
			}
			fmt.Fprintf(&b, "type r%d struct{ o object }\nfunc (r *r%d) reconcile(ctx context.Context) error { for !r.ready() { time.Sleep(time.Minute) }; r.o = *build%d(r.o.labels); return nil }\nfunc (r *r%d) ready() bool { return len(r.o.items) > %d }\nfunc build%d(m map[string]string) *object { o := &object{}; for k, v := range m { o.items = append(o.items, k+v) }; return o }\n", i, i, i, i, i, i)
		}
		return b.String()
	},
}

// Write writes a module with one package to dir: the program, which has one of
// the shapes.
func Write(dir, program string) error {
	arc := new(txtar.Archive)
	add(arc, "go.mod", "module example.com/m\n\ngo 1.25.0\n")
	for i, text := range strings.Split("type object struct { labels map[string]string; items []string; spec struct { name string } }\n"+program, nextFile) {
		const start = "package p\n\nimport (\n\"context\"\n\"time\"\n)\n\nvar _ context.Context\nvar _ time.Time\n\n"
		add(arc, fmt.Sprintf("p%d.go", i), start+text)
	}
	return txtar.Write(arc, dir)
}

//go:embed operator.txtar
var operator []byte

// WriteOperator writes the module of an operator with n controllers to dir. Each
// rule has one finding in each controller.
func WriteOperator(dir string, n int) error {
	arc := new(txtar.Archive)
	for _, f := range txtar.Parse(operator).Files {
		text := string(f.Data)
		if !strings.Contains(text, "THING") {
			add(arc, f.Name, text)
			continue
		}
		for i := range n {
			number := strconv.Itoa(i)
			add(arc, strings.TrimSuffix(f.Name, ".go")+number+".go", strings.ReplaceAll(text, "THING", number))
		}
	}
	return txtar.Write(arc, dir)
}

func add(arc *txtar.Archive, name, text string) {
	arc.Files = append(arc.Files, txtar.File{Name: name, Data: []byte(text)})
}
