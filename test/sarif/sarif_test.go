// Package sarif_test validates operatorvet's SARIF output against the schema of SARIF
// 2.1.0.
package sarif_test

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	_ "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif" // has the schema
	"github.com/xeipuuv/gojsonschema"
)

// TestSARIF validates the output about code with findings of several rules: with steps,
// with fixes, with steps in other packages, and with a package that is not there.
func TestSARIF(t *testing.T) {
	t.Parallel()
	bin := filepath.Join(t.TempDir(), "operatorvet")
	if out, err := exec.Command("go", "-C", "../..", "build", "-o", bin, "./cmd/operatorvet").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command(bin, "-C", filepath.Join("..", "..", "testdata"), "-sarif", "./faulty/...", "./blindpredicate/status/...",
		"./deadcleanup/undos/...", "./ctxloop/callees/...", "./unstablewrite/callees/...", "./nowhere")
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Fatalf("%v: want exit code 1, for the package that is not there", err)
	}

	for _, e := range invalid(t, out) {
		t.Error(e)
	}
	if len(invalid(t, []byte(strings.Replace(string(out), `"codeFlows"`, `"codeflows"`, 1)))) == 0 {
		t.Error("the schema has no objection to an unknown property")
	}

	var log struct {
		Runs []struct {
			Results []struct {
				RuleID    string
				CodeFlows []any
				Fixes     []any
			}
			Invocations []struct{ ToolExecutionNotifications []any }
		}
	}
	if err := json.Unmarshal(out, &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	rules, flows, fixes := make(map[string]bool), 0, 0
	for _, result := range run.Results {
		rules[result.RuleID] = true
		flows += len(result.CodeFlows)
		fixes += len(result.Fixes)
	}
	if len(rules) != 5 || flows != len(run.Results) || fixes == 0 || len(run.Invocations[0].ToolExecutionNotifications) != 1 {
		t.Errorf("%d results of rules %v, %d code flows, %d fixes", len(run.Results), rules, flows, fixes)
	}
}

// invalid returns what the schema has against a document.
func invalid(t *testing.T, document []byte) []gojsonschema.ResultError {
	t.Helper()
	result, err := gojsonschema.Validate(gojsonschema.NewStringLoader(schema(t)), gojsonschema.NewBytesLoader(document))
	if err != nil {
		t.Fatal(err)
	}
	return result.Errors()
}

// schema returns the schema, which the library keeps for itself: its own validation reads
// a document into structs first, and does not see what these do not have.
func schema(t *testing.T) string {
	t.Helper()
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif").Output()
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "schema.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for n := range ast.Preorder(file) {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING && strings.Contains(lit.Value, `"$schema"`) {
			text, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
			return text
		}
	}
	t.Fatal("the library has no schema")
	return ""
}
