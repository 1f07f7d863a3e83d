package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/operatorvet/operatorvet/internal/testing/lsp"
	"github.com/operatorvet/operatorvet/plugin/gopls/suite"
)

// root is the root of the module.
const root = "../.."

// patience bounds how long a server may take to show a finding.
const patience = 5 * time.Minute

// scratch has the gopls that the tests build, and its cache.
var scratch string

func TestMain(m *testing.M) {
	var err error
	if scratch, err = os.MkdirTemp("", "operatorvet-gopls-test-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(scratch)
	os.Exit(code)
}

// goplsOnce builds gopls for all tests.
var goplsOnce = sync.OnceValues(func() (string, error) {
	gopls := filepath.Join(scratch, "gopls")
	var stdout, stderr bytes.Buffer
	if run(context.Background(), []string{"-o", gopls}, &stdout, &stderr) != 0 {
		return "", fmt.Errorf("%s", &stderr)
	}
	return gopls, nil
})

// goplsCommand returns a command that runs the gopls with the suite.
func goplsCommand(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	gopls, err := goplsOnce()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(gopls, args...)
	cmd.Env = append(os.Environ(), "GOPLSCACHE="+filepath.Join(scratch, "cache"))
	cmd.Stderr = os.Stderr
	return cmd
}

func TestVersionTellsOfTheSuite(t *testing.T) {
	out, err := goplsCommand(t, "version").Output()
	if want := "golang.org/x/tools/gopls v0."; err != nil || !strings.HasPrefix(string(out), want) || !strings.HasSuffix(string(out), "+operatorvet\n") {
		t.Errorf("gopls version: %v, %q", err, out)
	}
}

// An editor is a client of this gopls with the operator as its workspace.
type editor struct {
	*testing.T
	*lsp.Client
	dir string
}

// edit starts the gopls on the workspace in dir.
func edit(t *testing.T, dir string, settings map[string]any) *editor {
	t.Helper()
	client, err := lsp.Start(goplsCommand(t), dir, settings)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := client.Close(); err != nil {
			t.Error(err)
		}
	})
	return &editor{t, client, dir}
}

// open opens a file of the workspace.
func (e *editor) open(name string) (file string) {
	e.Helper()
	file = filepath.Join(e.dir, filepath.FromSlash(name))
	if err := e.Open(file); err != nil {
		e.Fatal(err)
	}
	return file
}

// replace replaces one occurrence of a text in the buffer.
func (e *editor) replace(file, old, new string) {
	e.Helper()
	if strings.Count(e.Text(file), old) != 1 {
		e.Fatalf("%s is not in %s once", old, file)
	}
	if err := e.Type(file, strings.Replace(e.Text(file), old, new, 1)); err != nil {
		e.Fatal(err)
	}
}

// finding waits until the server shows one finding of the suite in the file.
func (e *editor) finding(file string) lsp.Diagnostic {
	e.Helper()
	return e.await(file, 1)[0]
}

// clean waits until the server shows no finding of the suite in the file, and
// checks that none follows.
func (e *editor) clean(file string) {
	e.Helper()
	e.await(file, 0)
	diags, err := e.Diagnose(file)
	if found := findings(diags); err != nil || len(found) > 0 {
		e.Fatalf("%s: %v, %v", file, found, err)
	}
}

func (e *editor) await(file string, n int) []lsp.Diagnostic {
	e.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	shown, err := e.Await(ctx, file, func(shown []lsp.Diagnostic) bool { return len(findings(shown)) == n })
	if err != nil {
		e.Fatalf("%s: %v; instead of %d findings gopls shows %v", file, err, n, shown)
	}
	return findings(shown)
}

// findings returns the diagnostics of the suite.
func findings(diags []lsp.Diagnostic) []lsp.Diagnostic {
	var found []lsp.Diagnostic
	for _, d := range diags {
		for _, a := range suite.Analyzers() {
			if d.Source == a.Name {
				found = append(found, d)
			}
		}
	}
	return found
}

const (
	drainFile   = "internal/drain/wait.go" // waiting, below
	scaleInFile = "internal/controller/scalein.go"

	// waiting is what the operator, which waits for nothing, lacks.
	waiting = `package drain

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// Wait asks pods until all have drained.
func (d *Drainer) Wait(ctx context.Context, pods []corev1.Pod) error {
	pause := time.NewTimer(0)
	defer pause.Stop()
	for wait := time.Second / 16; ; wait = min(2*wait, time.Second) {
` + goodWait + `		if len(d.Ask(ctx, pods)) == 0 {
			return nil
		}
		pause.Reset(wait)
	}
}
`

	// A wait, and how one should not wait.
	goodWait = `		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-pause.C:
		}
`
	badWait = "\t\ttime.Sleep(wait)\n"
)

// TestFindingsWhileTyping types bugs into the operator. Nothing is ever saved.
func TestFindingsWhileTyping(t *testing.T) {
	e := edit(t, copyOperator(t), map[string]any{"diagnosticsDelay": "0s"})
	drain := e.open(drainFile)
	scaleIn := e.open(scaleInFile)
	e.clean(drain)
	e.clean(scaleIn)
	good := e.Text(drain)

	e.replace(drain, goodWait, badWait)
	d := e.finding(drain)
	bad := e.Text(drain)
	if d.Source != "ctxloop" || d.Code != "ctxloop" || !strings.HasSuffix(d.CodeDescription.Href, "/docs/rules/ctxloop.md") || !strings.HasPrefix(d.Message, "ctxloop: ") {
		t.Errorf("source %q, code %q, link %q, message %q", d.Source, d.Code, d.CodeDescription.Href, d.Message)
	}
	if marked := bad[lsp.Offset(bad, d.Range.Start):lsp.Offset(bad, d.Range.End)]; !strings.HasPrefix(marked, "for wait :=") {
		t.Errorf("marked is %q", marked)
	}

	fixes, err := e.QuickFixes(drain, d)
	if err != nil || len(fixes) != 1 {
		t.Fatalf("quick fixes %v, %v, want one", fixes, err)
	}
	if err := e.Apply(fixes[0]); err != nil {
		t.Fatal(err)
	}
	e.clean(drain)
	fixed := e.Text(drain)
	if formatted, err := format.Source([]byte(fixed)); err != nil || string(formatted) != fixed || !strings.Contains(fixed, "case <-time.After(wait):") {
		t.Errorf("the fix made this, %v:\n%s", err, fixed)
	}

	if err := e.Type(drain, bad); err != nil {
		t.Fatal(err)
	}
	e.finding(drain)
	if err := e.Type(drain, good); err != nil {
		t.Fatal(err)
	}
	e.clean(drain)

	// A bug that two packages share: one waits, the other has the context.
	const wait = `
// Settled waits for the pods to settle.
func Settled(pods func() bool) {
	for !pods() {
		time.Sleep(5 * time.Second)
	}
}
`
	if err := e.Type(drain, good+wait); err != nil {
		t.Fatal(err)
	}
	const call = "	if err := r.commit(ctx, thing, deployment); err != nil {\n"
	e.replace(scaleIn, call, "\tdrain.Settled(func() bool { return len(victims) == 0 })\n"+call)
	d = e.finding(scaleIn)
	calling := e.Text(scaleIn)
	if marked := calling[lsp.Offset(calling, d.Range.Start):]; d.Source != "ctxloop" || !strings.HasPrefix(marked, "Settled(") {
		t.Errorf("%s marked is %q", d.Message, marked[:20])
	}
	checkSteps(t, d, []string{scaleInFile, drainFile})
	e.replace(drain, "		time.Sleep(5 * time.Second)\n", "		return\n")
	e.clean(scaleIn)

	// gopls does not watch the file with options, but looks at it whenever it
	// analyses a package.
	if err := e.Type(drain, bad); err != nil {
		t.Fatal(err)
	}
	e.finding(drain)
	write(t, filepath.Join(e.dir, ".operatorvet.yaml"), "rules:\n  ctxloop: false\n")
	e.replace(drain, "package drain\n", "package drain\n\n")
	e.clean(drain)
}

// checkSteps checks that the related positions of a finding lead through the files, and
// that each says what happens there.
func checkSteps(t *testing.T, d lsp.Diagnostic, files []string) {
	t.Helper()
	type step struct {
		Location struct {
			URI   string
			Range lsp.Range
		}
		Message string
	}
	var related []step
	if err := json.Unmarshal(d.RelatedInformation, &related); err != nil {
		t.Fatalf("%v in %s", err, d.RelatedInformation)
	}
	for _, file := range files {
		if !slices.ContainsFunc(related, func(r step) bool {
			return strings.HasSuffix(r.Location.URI, file) && r.Location.Range.Start.Line > 0 && r.Message != ""
		}) {
			t.Errorf("no step in %s: %+v", file, related)
		}
	}
}

// TestWhatIsOff has a bug saved in the operator, and starts gopls anew for each
// way to switch its rule off, and on again. The results that gopls keeps on disk
// must not show.
func TestWhatIsOff(t *testing.T) {
	dir := copyOperator(t)
	const controllerFile = "internal/controller/thing_controller.go"
	name := filepath.Join(dir, filepath.FromSlash(controllerFile))
	source, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	write(t, name, strings.Replace(string(source), "\t\tOwns(&corev1.ConfigMap{}).\n", "", 1))
	options := filepath.Join(dir, ".operatorvet.yaml")

	for _, test := range []struct {
		name, options string
		settings      map[string]any
		want          string // source and beginning of the message
	}{
		{name: "nothing", want: "missingwatch: Reconcile"},
		{name: "in the settings", settings: map[string]any{"analyses": map[string]any{"missingwatch": false}}},
		{name: "in the file", options: "rules:\n  missingwatch: false\n"},
		{name: "by mistake", options: "rules:\n  missingwach: false\n", want: "operatorvet does not run here: " + options + ":2: rules.missingwach: unknown rule"},
		{name: "nothing again", want: "missingwatch: Reconcile"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.options == "" {
				os.Remove(options)
			} else {
				write(t, options, test.options)
			}
			e := edit(t, dir, test.settings)
			diags, err := e.Diagnose(e.open(controllerFile))
			if err != nil {
				t.Fatal(err)
			}
			var got string
			for _, d := range findings(diags) {
				got += d.Message
			}
			if !strings.HasPrefix(got, test.want) || test.want == "" && got != "" {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

// copyOperator returns the folder of a copy of the Thing operator without its
// tests, and with waiting. The rules have no findings in it.
func copyOperator(t *testing.T) string {
	t.Helper()
	from := filepath.Join(root, "operator")
	to, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"api", "internal/controller", "internal/drain", "internal/metrics", "preempt"} {
		if err := os.CopyFS(filepath.Join(to, name), os.DirFS(filepath.Join(from, name))); err != nil {
			t.Fatal(err)
		}
	}
	for _, pattern := range []string{"internal/*/*_test.go", "preempt/*_test.go"} {
		tests, err := filepath.Glob(filepath.Join(to, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range tests {
			if err := os.Remove(name); err != nil {
				t.Fatal(err)
			}
		}
	}
	write(t, filepath.Join(to, filepath.FromSlash(drainFile)), waiting)
	for _, name := range []string{"go.mod", "go.sum"} {
		data, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(to, name), string(data))
	}
	return to
}
