package operator

import (
	"encoding/json"
	"os/exec"
	"testing"
)

// TestModulesShareVersions checks that the modules that need Kubernetes' libraries require the
// same versions of what they share. Other versions are compiled again, for minutes.
func TestModulesShareVersions(t *testing.T) {
	t.Parallel()
	ours := requirements(t, "go.mod")
	for _, file := range []string{"tools/go.mod", "tools/promtool/go.mod", "../testdata/go.mod"} {
		for path, version := range requirements(t, file) {
			if own, ok := ours[path]; ok && own != version {
				t.Errorf("%s requires %s %s, the operator %s", file, path, version, own)
			}
		}
	}
}

// requirements returns the versions that a go.mod requires, by module.
func requirements(t *testing.T, file string) map[string]string {
	t.Helper()
	out, err := exec.Command("go", "mod", "edit", "-json", file).Output()
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	var mod struct {
		Require []struct{ Path, Version string }
	}
	if err := json.Unmarshal(out, &mod); err != nil {
		t.Fatal(err)
	}
	versions := make(map[string]string)
	for _, r := range mod.Require {
		versions[r.Path] = r.Version
	}
	return versions
}
