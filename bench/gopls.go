package main

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/operatorvet/operatorvet/internal/testing/lsp"
)

// The two servers that bench types into.
const (
	stockGopls = "gopls"
	ownGopls   = "gopls with operatorvet"
)

// patience bounds how long a server may take to show a diagnostic. Opening a
// large module with an empty cache takes minutes.
const patience = 10 * time.Minute

// rest is the pause after each diagnostic in which a server can write its cache
// and collect garbage without being measured.
const rest = 500 * time.Millisecond

// editsPerRound is the number of edits of each server that are measured per
// round. They take seconds, and vary more than whole processes do.
const editsPerRound = 5

// editing has the times from edits to diagnostics, in seconds.
type editing struct {
	File    string
	Servers []served
}

type served struct {
	Server string
	First  float64   // from its start to the first diagnostic, with an empty cache
	Edit   float64   // from an edit to the diagnostic, median
	CPU    float64   // that an edit takes, mean
	MiB    float64   // peak
	Edits  []float64 // in order
}

// get returns the times of a server, or zeros if it was not measured.
func (e *editing) get(server string) served {
	if e != nil {
		for _, s := range e.Servers {
			if s.Server == server {
				return s
			}
		}
	}
	return served{}
}

// buildGopls builds a gopls with operatorvet, and the same version without. It
// returns that version.
func buildGopls(root, bin string) (string, error) {
	own := filepath.Join(bin, ownGopls)
	fmt.Fprintln(os.Stderr, "building", ownGopls)
	if _, err := output(root, "go", "run", "./plugin/gopls", "-o", own); err != nil {
		return "", err
	}
	version, err := output("", own, "version")
	if err != nil {
		return "", err
	}
	module, label, _ := strings.Cut(version, " ")
	stock, _, _ := strings.Cut(label, "+")
	fmt.Fprintln(os.Stderr, "building", stockGopls)
	cmd := exec.Command("go", "install", "-trimpath", module+"@"+stock)
	cmd.Env = append(os.Environ(), "GOBIN="+bin)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", cmd, err, out)
	}
	return stock, nil
}

// server is a running gopls.
type server struct {
	served
	*lsp.Client
	source    string // of the diagnostic that is waited for
	parameter string // that it names
	pid       int
}

// measureGopls opens the body in both servers and types bugs into a file of a
// controller. Both get the same text, with a bug for gopls's own analyzers and
// one for operatorvet. The result is the time until a server shows its own
// diagnostic. The servers take turns.
//
// By default gopls waits for a second before it analyses, to see whether more is
// typed. Here it does not wait, because that would only make the ratio look
// better.
func measureGopls(work string, b *source, rounds int) (*editing, error) {
	name, err := b.controllerFile()
	if err != nil {
		return nil, err
	}
	file := filepath.Join(b.dir, name)
	good, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	prepared, err := withImports(good)
	if err != nil {
		return nil, err
	}
	servers := []*server{
		{served: served{Server: stockGopls}, source: "printf", parameter: "text"},
		{served: served{Server: ownGopls}, source: "ctxloop", parameter: "ctx"},
	}
	for _, s := range servers {
		fmt.Fprintf(os.Stderr, "%s, %s, opening %s\n", b.name, s.Server, name)
		cmd := exec.Command(filepath.Join(work, "bin", s.Server))
		cmd.Env = append(os.Environ(), "GOPLSCACHE="+filepath.Join(work, "caches", b.name+s.Server))
		cmd.Stderr = os.Stderr
		start := time.Now()
		if s.Client, err = lsp.Start(cmd, b.dir, map[string]any{"diagnosticsDelay": "0s"}); err != nil {
			return nil, err
		}
		defer s.Close()
		s.pid = cmd.Process.Pid
		if err := s.Open(file); err != nil {
			return nil, err
		}
		if _, err := s.edit(file, prepared, 0); err != nil {
			return nil, err
		}
		s.First = time.Since(start).Seconds()
	}
	const warmUp = 3
	edits := editsPerRound * rounds
	for i := range warmUp + edits {
		fmt.Fprintf(os.Stderr, "%s, gopls, edit %d of %d\n", b.name, i+1, warmUp+edits)
		for _, s := range servers {
			time.Sleep(rest)
			before, err := s.cpu()
			if err != nil {
				return nil, err
			}
			took, err := s.edit(file, prepared, i+1)
			if err != nil {
				return nil, err
			}
			time.Sleep(rest)
			after, err := s.cpu()
			if err != nil {
				return nil, err
			}
			if i >= warmUp {
				s.Edits = append(s.Edits, took.Seconds())
				s.CPU += (after - before) / float64(edits)
			}
		}
	}
	res := &editing{File: name}
	for _, s := range servers {
		s.Edit = median(s.Edits)
		if s.MiB, err = s.peak(); err != nil {
			return nil, err
		}
		res.Servers = append(res.Servers, s.served)
	}
	return res, nil
}

// edit types the bugs and returns the time until the server shows its
// diagnostic.
func (s *server) edit(file, text string, n int) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	marked := fmt.Sprintf("edited%d", n) + s.parameter // in what the server shows of this edit, and of no other
	start := time.Now()
	if err := s.Type(file, text+bugs(n)); err != nil {
		return 0, err
	}
	shown, err := s.Await(ctx, file, func(shown []lsp.Diagnostic) bool {
		return slices.ContainsFunc(shown, func(d lsp.Diagnostic) bool {
			return d.Source == s.source && strings.Contains(d.Message, marked)
		})
	})
	if err != nil {
		return 0, fmt.Errorf("%s, edit %d of %s: no diagnostic of %s: %w; shown is %v", s.Server, n, file, s.source, err, shown)
	}
	return time.Since(start), nil
}

// bugs returns a function with a bug for printf and one for ctxloop, whose
// messages name the parameters. It needs [withImports].
func bugs(n int) string {
	return fmt.Sprintf(`
func benchEdit%[1]d(edited%[1]dctx benchcontext.Context, edited%[1]dtext string, done func() bool) string {
	for !done() {
		benchtime.Sleep(5 * benchtime.Second)
	}
	return benchfmt.Sprintf("%%d", edited%[1]dtext)
}
`, n)
}

// withImports adds imports to a file, which must compile without them.
func withImports(source []byte) (string, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", source, parser.PackageClauseOnly)
	if err != nil {
		return "", err
	}
	end := fset.Position(f.Name.End()).Offset
	const imports = `; import (benchcontext "context"; benchfmt "fmt"; benchtime "time")`
	return string(source[:end]) + imports + string(source[end:]) + "\n", nil
}

// controllerFile returns the largest of the files with a method
// Reconcile(ctx, Request), or the leaf if there is none.
func (b *source) controllerFile() (string, error) {
	out, err := output(b.dir, "go", append([]string{"list", "-e", "-f", `{{if ne .Name "main"}}{{$dir := .Dir}}{{range .GoFiles}}{{$dir}}/{{.}}
{{end}}{{end}}`}, b.patterns...)...)
	if err != nil {
		return "", err
	}
	largest, found := 0, ""
	for name := range strings.Lines(out) {
		name = strings.TrimSuffix(name, "\n")
		if name == "" {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, source, parser.SkipObjectResolution)
		if err == nil && len(source) > largest && slices.ContainsFunc(f.Decls, isReconcile) {
			largest, found = len(source), name
		}
	}
	if found == "" {
		return b.leaf, nil
	}
	return filepath.Rel(b.dir, found)
}

// isReconcile reports whether decl is a method Reconcile(ctx, Request) or, as
// controllers without controller-runtime have it, syncKind(ctx, key string).
func isReconcile(decl ast.Decl) bool {
	fn, ok := decl.(*ast.FuncDecl)
	if !ok || fn.Recv == nil || fn.Type.Params.NumFields() != 2 {
		return false
	}
	var last string
	switch t := fn.Type.Params.List[len(fn.Type.Params.List)-1].Type.(type) {
	case *ast.SelectorExpr:
		last = t.Sel.Name
	case *ast.Ident:
		last = t.Name
	}
	return fn.Name.Name == "Reconcile" && last == "Request" || strings.HasPrefix(fn.Name.Name, "sync") && last == "string"
}

// cpu returns the CPU time that the server has used, in seconds.
func (s *server) cpu() (float64, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.pid))
	if err != nil {
		return 0, err
	}
	// Behind the name, which is in parentheses, the times are fields 11 and 12.
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	const perSecond = 100 // as Linux tells user space on every architecture
	var sum float64
	for _, field := range fields[11:13] {
		ticks, err := strconv.ParseFloat(field, 64)
		if err != nil {
			return 0, err
		}
		sum += ticks / perSecond
	}
	return sum, nil
}

// peak returns the peak memory of the server, in MiB.
func (s *server) peak() (float64, error) {
	name := fmt.Sprintf("/proc/%d/status", s.pid)
	status, err := os.ReadFile(name)
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if val, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kib, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(val), " kB"), 64)
			return kib / 1024, err
		}
	}
	return 0, fmt.Errorf("%s: no VmHWM", name)
}
