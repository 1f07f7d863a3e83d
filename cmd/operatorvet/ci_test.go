package main_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/operatorvet/operatorvet/analyzers"
)

// These tests run the commands that action.yml, .pre-commit-hooks.yaml and
// docs/ci.md give to CI systems, on a small module with a finding.

// repository is the root of the repository.
const repository = "../.."

// readYAML decodes a YAML file of the repository.
func readYAML(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(repository, name))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

type action struct {
	Inputs map[string]struct {
		Description string
		Default     *string
	}
	Outputs map[string]struct{ Description, Value string }
	Runs    struct {
		Using string
		Steps []struct {
			ID, Name, Shell, Run, Uses, If string
			Env, With                      map[string]string
		}
	}
}

// expression matches a GitHub expression in YAML.
var expression = regexp.MustCompile(`\$\{\{ *(.*?) *\}\}`)

// runAction runs the commands among the action's steps, as a runner would. It
// returns the last result and the content of GITHUB_OUTPUT.
func runAction(t *testing.T, dir string, inputs map[string]string) (last result, outputs string) {
	t.Helper()
	var a action
	readYAML(t, "action.yml", &a)
	root, err := filepath.Abs(repository)
	if err != nil {
		t.Fatal(err)
	}
	temp := t.TempDir()
	output := filepath.Join(temp, "output")
	if err := os.WriteFile(output, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	values := map[string]string{"github.action_path": root, "runner.temp": temp}
	for name, input := range a.Inputs {
		if input.Description == "" || input.Default == nil {
			t.Errorf("input %s: no description or no default", name)
			continue
		}
		values["inputs."+name] = *input.Default
	}
	for name, value := range inputs {
		values["inputs."+name] = value
	}
	for _, step := range a.Runs.Steps {
		if step.Run == "" {
			continue
		}
		if expression.MatchString(step.Run) {
			t.Errorf("step %q: an input in the text of a script could be another script; hand it over in env", step.Name)
		}
		cmd := command(dir, step.Shell, "--noprofile", "--norc", "-eo", "pipefail", "-c", step.Run)
		cmd.Env = append(cmd.Env, "GITHUB_OUTPUT="+output)
		for name, value := range step.Env {
			value = expression.ReplaceAllStringFunc(value, func(e string) string {
				v, ok := values[expression.FindStringSubmatch(e)[1]]
				if !ok {
					t.Errorf("step %q: unknown value in %s", step.Name, e)
				}
				return v
			})
			cmd.Env = append(cmd.Env, name+"="+value)
		}
		if last = execute(t, cmd); last.code != 0 {
			break
		}
	}
	data, err := os.ReadFile(output)
	if err != nil {
		t.Fatal(err)
	}
	return last, string(data)
}

func TestAction(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("no bash")
	}
	dir := tree(t, old+"-- a/go.mod --\nmodule example.com/m/a\n\ngo 1.25.0\n")

	res, outputs := runAction(t, dir, map[string]string{"working-directory": "a", "args": "-rules=ctxloop ./...", "sarif": "true"})
	res.want(t, 3, "a.go:11 a.go:14")
	file, ok := strings.CutPrefix(strings.TrimSpace(outputs), "sarif-file=")
	if !ok {
		t.Fatalf("outputs %q", outputs)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var log struct{ Runs []struct{ Results []any } }
	if err := json.Unmarshal(data, &log); err != nil || len(log.Runs) != 1 || len(log.Runs[0].Results) != 2 {
		t.Errorf("%v in\n%s", err, data)
	}

	res, outputs = runAction(t, dir, nil)
	res.want(t, 3, "b/b.go:9 b/b_test.go:4 b/ex_test.go:3")
	if outputs != "" {
		t.Errorf("outputs %q", outputs)
	}
	res, outputs = runAction(t, dir, map[string]string{"args": "-nosuch", "sarif": "true"})
	res.want(t, 2, "")
	if outputs != "" {
		t.Errorf("outputs %q", outputs)
	}
}

func TestPreCommitHook(t *testing.T) {
	t.Parallel()
	var hooks []struct {
		ID, Name, Entry, Language string
		Types                     []string
		PassFilenames             *bool `yaml:"pass_filenames"`
	}
	readYAML(t, ".pre-commit-hooks.yaml", &hooks)
	if len(hooks) != 1 || hooks[0].Language != "golang" || hooks[0].PassFilenames == nil || *hooks[0].PassFilenames {
		t.Fatalf("got %+v", hooks)
	}
	// pre-commit installs all commands of the module, and runs the entry in the
	// repository with them in its PATH.
	bin := t.TempDir()
	install := command(repository, "go", "install", "./...")
	install.Env = append(install.Env, "GOBIN="+bin)
	if res := execute(t, install); res.code != 0 {
		t.Fatal(res.stderr)
	}
	entry := strings.Fields(hooks[0].Entry)
	dir := tree(t, mixed)
	execute(t, command(dir, filepath.Join(bin, entry[0]), entry[1:]...)).want(t, 3, "p.go:9 p.go:14")
}

// blocks returns the fenced blocks of a page in the given language.
func blocks(t *testing.T, page, language string) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(repository, page))
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, m := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```$").FindAllStringSubmatch(string(data), -1) {
		found = append(found, m[1])
	}
	return found
}

func TestPageOnCI(t *testing.T) {
	t.Parallel()
	var inputs action
	readYAML(t, "action.yml", &inputs)
	seen := make(map[string]bool)
	for _, block := range blocks(t, "docs/ci.md", "yaml") {
		name, _, _ := strings.Cut(block, "\n")
		seen[name] = true
		switch name {
		case "# .github/workflows/operatorvet.yaml":
			var workflow struct {
				Jobs map[string]struct {
					Steps []struct {
						Uses string
						With map[string]string
					}
				}
			}
			if err := yaml.Unmarshal([]byte(block), &workflow); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			cached := false
			for _, step := range workflow.Jobs["operatorvet"].Steps {
				// The user's cache directory on the runners.
				cached = cached || strings.HasPrefix(step.Uses, "actions/cache@") && step.With["path"] == "~/.cache/operatorvet"
				for input := range step.With {
					if _, ok := inputs.Inputs[input]; !ok && strings.HasPrefix(step.Uses, "operatorvet/") {
						t.Errorf("%s: the action has no input %s", name, input)
					}
				}
			}
			if !cached {
				t.Errorf("%s: the results are not cached", name)
			}
		case "# .gitlab-ci.yml":
			testGitLab(t, block)
		case "# .pre-commit-config.yaml":
			var config any
			if err := yaml.Unmarshal([]byte(block), &config); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		default:
			t.Errorf("unknown example %s", name)
		}
	}
	if len(seen) != 3 {
		t.Errorf("examples: %v", seen)
	}
}

// testGitLab runs a job's script without the installation.
func testGitLab(t *testing.T, config string) {
	var jobs map[string]struct {
		Script    []string
		Variables map[string]string
		Cache     struct{ Paths []string }
		Artifacts struct{ Reports struct{ Codequality string } }
	}
	if err := yaml.Unmarshal([]byte(config), &jobs); err != nil {
		t.Fatal(err)
	}
	job := jobs["operatorvet"]
	if len(job.Script) != 2 || !strings.HasPrefix(job.Script[0], "go install github.com/operatorvet/operatorvet/cmd/operatorvet@") {
		t.Fatalf("script %q", job.Script)
	}
	dir := tree(t, mixed)
	cmd := command(dir, "sh", "-e", "-c", job.Script[1])
	cmd.Env = append(cmd.Env, "PATH="+filepath.Dir(binary(t))+string(os.PathListSeparator)+os.Getenv("PATH"))
	for name, value := range job.Variables {
		cmd.Env = append(cmd.Env, name+"="+strings.ReplaceAll(value, "$CI_PROJECT_DIR", dir))
	}
	if res := execute(t, cmd); res.code != 3 {
		t.Errorf("exit code %d\n%s", res.code, res.stderr)
	}
	if len(job.Cache.Paths) != 1 || entries(t, filepath.Join(dir, job.Cache.Paths[0])) == 0 {
		t.Errorf("nothing kept in %q", job.Cache.Paths)
	}
	data, err := os.ReadFile(filepath.Join(dir, job.Artifacts.Reports.Codequality))
	if err != nil {
		t.Fatal(err)
	}
	var issues []struct{ Location struct{ Path string } }
	if err := json.Unmarshal(data, &issues); err != nil || len(issues) != 2 || issues[0].Location.Path != "p.go" {
		t.Errorf("%v in\n%s", err, data)
	}
}

// nogo wants the package of each rule by name.
func TestPageOnBazelNamesAllRules(t *testing.T) {
	t.Parallel()
	var named, want []string
	for _, block := range blocks(t, "docs/bazel.md", "starlark") {
		for _, m := range regexp.MustCompile(`"@com_github_operatorvet_operatorvet//analyzers/(\w+)"`).FindAllStringSubmatch(block, -1) {
			named = append(named, m[1])
		}
	}
	for _, rule := range analyzers.All() {
		want = append(want, rule.Name)
	}
	slices.Sort(want)
	if !slices.Equal(named, want) {
		t.Errorf("named: %q, rules: %q", named, want)
	}
	for _, block := range blocks(t, "docs/bazel.md", "json") {
		if !json.Valid([]byte(block)) {
			t.Errorf("not JSON:\n%s", block)
		}
	}
}
