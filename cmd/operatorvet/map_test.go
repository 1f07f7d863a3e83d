package main_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/operatorvet/operatorvet/internal/testing/enginetest"
)

// TestMap checks the map of a small operator with bugs, as people and programs read it.
func TestMap(t *testing.T) {
	t.Parallel()
	testdata := filepath.Join("..", "..", "testdata")
	for _, format := range []string{"table", "json", "mermaid"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			args := []string{"map", "./faulty/...", "./blindpredicate/status/deployments", "./missingwatch/owners/..."}
			if format != "table" {
				args = append([]string{"map", "-" + format}, args[1:]...)
			}
			res := operatorvet(t, testdata, args...)
			if res.code != 0 || res.stderr != "" {
				t.Fatalf("exit code %d\n%s", res.code, res.stderr)
			}
			checkGolden(t, filepath.Join("testdata", "map", format+".txt"), res.stdout)
		})
	}
}

// TestMapIsDocumented checks that docs/map.md has each field of the JSON form.
func TestMapIsDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "map.md"))
	if err != nil {
		t.Fatal(err)
	}
	var fields func(v any)
	fields = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				fields(e)
			}
		case map[string]any:
			for name, e := range v {
				if !strings.Contains(string(page), "`"+name+"`") {
					t.Errorf("docs/map.md does not have %s", name)
				}
				fields(e)
			}
		}
	}
	for _, name := range []string{"json.txt", "rbac_json.txt"} {
		data, err := os.ReadFile(filepath.Join("testdata", "map", name))
		if err != nil {
			t.Fatal(err)
		}
		var tree any
		if err := json.Unmarshal(data, &tree); err != nil {
			t.Fatal(err)
		}
		fields(tree)
	}
}

// TestMapOfThing checks that the README shows the map of the Thing operator as it is.
func TestMapOfThing(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("loads the Thing operator")
	}
	res := operatorvet(t, filepath.Join("..", "..", "operator"), "map", "-mermaid", "./...")
	if res.code != 0 {
		t.Fatalf("exit code %d\n%s", res.code, res.stderr)
	}
	name := filepath.Join("..", "..", "README.md")
	readme, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(readme), "```mermaid\n")
	drawn, after, ok := strings.Cut(rest, "```\n")
	if !ok {
		t.Fatal("the README has no map")
	}
	if enginetest.Update() {
		if err := os.WriteFile(name, []byte(before+"```mermaid\n"+res.stdout+"```\n"+after), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if drawn != res.stdout {
		t.Errorf("-want +got:\n%s", enginetest.Diff([]byte(drawn), []byte(res.stdout)))
	}
}

func TestMapBadInput(t *testing.T) {
	t.Parallel()
	dir := tree(t, mixed)
	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"-json", "-mermaid"}, 2, "operatorvet: -json, -mermaid and -html exclude each other; see operatorvet map -h\n"},
		{[]string{"./...", "-json"}, 2, "operatorvet: flag -json after a package; flags come first; see operatorvet map -h\n"},
		{nil, 0, "operatorvet: no controllers in the packages\n"},
	} {
		res := operatorvet(t, dir, append([]string{"map"}, test.args...)...)
		if res.code != test.code || res.stderr != test.want {
			t.Errorf("map %q: exit code %d, %q", test.args, res.code, res.stderr)
		}
	}
}
