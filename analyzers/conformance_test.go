package analyzers_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/operatorvet/operatorvet/analyzers"
	"github.com/operatorvet/operatorvet/analyzers/directive"
	"github.com/operatorvet/operatorvet/internal/rules/config"
	"github.com/operatorvet/operatorvet/internal/rules/rule"
)

// root is the root module's folder.
const root = ".."

func TestSuiteIsValid(t *testing.T) {
	t.Parallel()
	rules := analyzers.All()
	if err := analysis.Validate(rules); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, rule := range rules {
		names = append(names, rule.Name)
	}
	if !slices.Equal(names, config.Rules[:]) {
		t.Errorf("internal/rules/config knows the rules %q, the suite has %q", config.Rules, names)
	}
	if !slices.IsSortedFunc(rules, func(a, b *analysis.Analyzer) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("the rules are not sorted by name")
	}
}

// TestRuleIsWhereItBelongs checks that each rule's folder, package, name, page
// and fixtures agree.
func TestRuleIsWhereItBelongs(t *testing.T) {
	t.Parallel()
	folders := make(map[string]bool)
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() {
			folders[e.Name()] = true
		}
	}
	for _, rule := range analyzers.All() {
		if !folders[rule.Name] {
			t.Errorf("rule %s has no folder analyzers/%s", rule.Name, rule.Name)
			continue
		}
		delete(folders, rule.Name)
		t.Run(rule.Name, func(t *testing.T) {
			t.Parallel()
			checkFolder(t, rule)
			checkPage(t, rule)
			checkHasFixtures(t, rule)
			if want := "/docs/rules/" + rule.Name + ".md"; !strings.HasSuffix(rule.URL, want) {
				t.Errorf("URL %q does not end in %s", rule.URL, want)
			}
		})
	}
	for name := range folders {
		t.Errorf("analyzers/%s is not in the suite", name)
	}
}

func checkFolder(t *testing.T, rule *analysis.Analyzer) {
	exported := false
	for _, file := range parseFolder(t, rule.Name) {
		if file.Name.Name != rule.Name {
			t.Errorf("package in analyzers/%s is called %s", rule.Name, file.Name.Name)
		}
		for _, decl := range file.Decls {
			if decl, ok := decl.(*ast.GenDecl); ok && decl.Tok == token.VAR {
				for _, spec := range decl.Specs {
					exported = exported || spec.(*ast.ValueSpec).Names[0].Name == "Analyzer"
				}
			}
		}
	}
	if !exported {
		t.Error("package has no variable Analyzer")
	}
	if _, err := os.Stat(filepath.Join(rule.Name, rule.Name+".go")); err != nil {
		t.Error(err)
	}
}

// checkPage checks the form of doc.go. rule.Doc checks that it has the heading
// and that the page is extracted from it.
func checkPage(t *testing.T, rule *analysis.Analyzer) {
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(rule.Name, "doc.go"), nil, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil {
		t.Fatal(err)
	}
	if want := "Package " + rule.Name + " "; !strings.HasPrefix(file.Doc.Text(), want) {
		t.Errorf("doc.go does not begin with %q", want)
	}
	title, body, _ := strings.Cut(rule.Doc, "\n")
	if strings.HasSuffix(title, ".") || body == "" {
		t.Errorf("page begins with %q, want a verb phrase without full stop, and text below it", title)
	}
	for _, want := range []string{"It is silent ", "//operatorvet:ignore"} {
		if !strings.Contains(rule.Doc, want) {
			t.Errorf("page does not say %q", want)
		}
	}
}

func checkHasFixtures(t *testing.T, rule *analysis.Analyzer) {
	bad, good := countBehaviours(t, rule.Name)
	if bad == 0 || good == 0 {
		t.Errorf("testdata/%s shows %d bad behaviours and %d good ones, want some of both", rule.Name, bad, good)
	}
}

// directories matches those of the places in a message. They are as long as the paths of
// a module are.
var directories = regexp.MustCompile(`([\w.-]+/)+`)

// TestFindingsAreWellFormed checks each diagnostic on the fixtures against the
// limits of drivers: they use one fix, turn related positions into separate
// findings, drop unknown categories, and show the first line.
func TestFindingsAreWellFormed(t *testing.T) {
	t.Parallel()
	fixes := make(map[*analysis.Analyzer]bool) // the rules that have any
	for _, act := range analyzeGraph(t).Roots {
		for _, d := range act.Diagnostics {
			fixes[act.Analyzer] = fixes[act.Analyzer] || len(d.SuggestedFixes) > 0
		}
	}
	for _, act := range analyzeGraph(t).Roots {
		for _, d := range act.Diagnostics {
			at := act.Package.Fset.Position(d.Pos)
			if d.Category != act.Analyzer.Name || d.URL != act.Analyzer.URL {
				t.Errorf("%s: category %q, URL %q", at, d.Category, d.URL)
			}
			if d.End <= d.Pos {
				t.Errorf("%s: no range", at)
			}
			if len(d.Related) > 0 || len(d.SuggestedFixes) > 1 {
				t.Errorf("%s: %d related positions, %d fixes", at, len(d.Related), len(d.SuggestedFixes))
			}
			if strings.Contains(d.Message, "\n") || strings.HasSuffix(d.Message, ".") || strings.HasPrefix(d.Message, act.Analyzer.Name) {
				t.Errorf("%s: message %q", at, d.Message)
			}
			why := act.Result.(*rule.Suppressions).About(d).NoFix
			switch fixed := len(d.SuggestedFixes) > 0; {
			case fixed && why != "":
				t.Errorf("%s: a fix, and none because %s", at, why)
			case !fixed && why == "" && fixes[act.Analyzer] && act.Analyzer != directive.Analyzer:
				t.Errorf("%s: no fix, and no reason", at)
			}
			if n := len(directories.ReplaceAllString(d.Message, "")); n > 200 {
				t.Errorf("%s: message of %d bytes without directories: %s", at, n, d.Message)
			}
		}
	}
}

// TestNoInit checks that no package has an init function, because it would run
// in every driver that links the package. Only the plugin has one, to register
// itself.
func TestNoInit(t *testing.T) {
	t.Parallel()
	for path, file := range rootFiles(t) {
		if path == filepath.Join(root, "plugin", "plugin.go") {
			continue
		}
		for _, decl := range file.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				t.Errorf("%s has a func init", path)
			}
		}
	}
}

// TestRootModuleIsLight checks that golangci-lint's and gopls's modules can
// merge the root module into theirs. The rules match types of Kubernetes by path
// and name and never import them.
func TestRootModuleIsLight(t *testing.T) {
	t.Parallel()
	for path, file := range rootFiles(t) {
		for _, imp := range file.Imports {
			imported, err := strconv.Unquote(imp.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(imported, "k8s.io/") || strings.HasPrefix(imported, "sigs.k8s.io/") {
				t.Errorf("%s imports %s", path, imported)
			}
		}
	}

	cmd := exec.Command("go", "mod", "edit", "-json")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var mod struct {
		Go, Toolchain    string
		Require          []struct{ Path, Version string }
		Replace, Exclude []any
	}
	if err := json.Unmarshal(out, &mod); err != nil {
		t.Fatal(err)
	}
	if mod.Go != "1.25.0" || mod.Toolchain != "" || len(mod.Replace)+len(mod.Exclude) > 0 {
		t.Errorf("go.mod: go %q, toolchain %q, %d replace, %d exclude", mod.Go, mod.Toolchain, len(mod.Replace), len(mod.Exclude))
	}
	allowed := map[string]string{
		"github.com/rogpeppe/go-internal":            "v1.14.1", // what golangci-lint v2.12.2 requires
		"golang.org/x/tools":                         "v0.44.0", // gopls v0.23.0 does not compile with a newer one
		"go.yaml.in/yaml/v3":                         "v3.0.4",  // what golangci-lint v2.12.2 has
		"golang.org/x/mod":                           "v0.35.0",
		"golang.org/x/sync":                          "v0.20.0",
		"honnef.co/go/tools":                         "v0.7.0",
		"github.com/golangci/plugin-module-register": "v0.1.2",
	}
	for _, req := range mod.Require {
		if allowed[req.Path] != req.Version {
			t.Errorf("go.mod requires %s %s", req.Path, req.Version)
		}
	}
}

// rootFiles parses the Go files of the root module, by path.
func rootFiles(t *testing.T) map[string]*ast.File {
	files := make(map[string]*ast.File)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if path == root {
				return nil
			}
			_, err := os.Stat(filepath.Join(path, "go.mod"))
			if err == nil || d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") {
				return filepath.SkipDir
			}
			return nil
		}
		if strings.HasSuffix(path, ".go") {
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				return err
			}
			files[path] = file
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// parseFolder parses the folder's Go files other than tests.
func parseFolder(t *testing.T, dir string) []*ast.File {
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, e.Name()), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

// TestAnalyzersAreGuarded gives each analyzer a pass with which it must fail.
// Whatever happens in Run, the driver has to go on with the other packages.
func TestAnalyzersAreGuarded(t *testing.T) {
	t.Parallel()
	seen := make(map[*analysis.Analyzer]bool)
	var visit func(a *analysis.Analyzer)
	visit = func(a *analysis.Analyzer) {
		if seen[a] {
			return
		}
		seen[a] = true
		for _, req := range a.Requires {
			visit(req)
		}
		defer func() {
			if r := recover(); r != nil {
				t.Errorf("%s panics: wrap it in rule.Guard", a.Name)
			}
		}()
		a.Run(&analysis.Pass{Analyzer: a, Pkg: types.NewPackage("example.com/p", "p"), Files: []*ast.File{nil}})
	}
	for _, rule := range analyzers.All() {
		visit(rule)
	}
}
