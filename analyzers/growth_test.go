package analyzers_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/operatorvet/operatorvet/analyzers"
	"github.com/operatorvet/operatorvet/internal/driver"
	"github.com/operatorvet/operatorvet/internal/load"
)

// nextFile is where a program goes on in another file.
const nextFile = "\n-- next --\n"

// shapes are programs of any size n.
var shapes = map[string]func(n int) string{
	// Chains of 200 calls, through which an object and a value go.
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
	// Functions that all call each other in a ring.
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
	// Controllers side by side, each with a loop that waits and a builder, fifty
	// to a file: fixes are looked for in the whole file that a finding is in.
	"controllers": func(n int) string {
		var b strings.Builder
		for i := range n {
			if i%50 == 0 {
				b.WriteString(nextFile)
			}
			fmt.Fprintf(&b, "type r%d struct{ o object }\nfunc (r *r%d) reconcile(ctx context.Context) error { for !r.ready() { time.Sleep(time.Minute) }; r.o = *build%d(r.o.labels); return nil }\nfunc (r *r%d) ready() bool { return len(r.o.items) > %d }\nfunc build%d(m map[string]string) *object { o := &object{}; for k, v := range m { o.items = append(o.items, k+v) }; return o }\n", i, i, i, i, i, i)
		}
		return b.String()
	},
}

// TestGrowth runs the suite over programs of growing size. What it allocates
// says how much it does, and unlike time does not depend on the machine: it may
// grow with the size, not with a power of it.
func TestGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	for name, shape := range shapes {
		t.Run(name, func(t *testing.T) {
			var sizes, allocated []float64
			least := allocatedFor(t, "")
			for _, n := range []int{10, 100, 1000, 5000} {
				sizes = append(sizes, float64(n))
				allocated = append(allocated, float64(allocatedFor(t, shape(n))-least))
			}
			last := len(sizes) - 1
			exponent := math.Log(allocated[last]/allocated[last-2]) / math.Log(sizes[last]/sizes[last-2])
			t.Logf("%.0f functions or lines: %.0f bytes; exponent %.2f", sizes, allocated, exponent)
			if exponent > 1.15 {
				t.Errorf("from %.0f to %.0f, what is allocated grows with the power of %.2f", sizes[last-2], sizes[last], exponent)
			}
		})
	}
}

// allocatedFor returns how many bytes are allocated to analyse a program.
func allocatedFor(t *testing.T, program string) uint64 {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{"go.mod": "module example.com/m\n\ngo 1.25.0\n"}
	for i, text := range strings.Split("type object struct { labels map[string]string; items []string; spec struct { name string } }\n"+program, nextFile) {
		const start = "package p\n\nimport (\n\"context\"\n\"time\"\n)\n\nvar _ context.Context\nvar _ time.Time\n\n"
		files[fmt.Sprintf("p%d.go", i)] = start + text
	}
	for file, content := range files {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	rep, err := driver.Run(load.Config{Dir: dir, Patterns: []string{"."}, Deps: load.Export}, analyzers.All(), nil)
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	for _, failure := range rep.Failures {
		t.Errorf("%s: %s", failure.Package, failure.Message)
	}
	return after.TotalAlloc - before.TotalAlloc
}
