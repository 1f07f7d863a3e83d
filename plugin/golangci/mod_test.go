package main_test

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/operatorvet/operatorvet/internal/testing/golangci"
)

// TestRequirementsAreGolangciLints checks that each go.mod has the versions that
// golangci-lint requires. The command golangci-lint custom merges the plugin's
// requirements into golangci-lint's. A newer version than golangci-lint requires
// may not compile, or behave differently.
func TestRequirementsAreGolangciLints(t *testing.T) {
	t.Parallel()
	const lint = "github.com/golangci/golangci-lint/v2"
	for _, version := range golangci.Versions {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			file := golangci.ModFile(version)
			if out, err := exec.Command("go", "mod", "tidy", "-diff", "-modfile="+file).CombinedOutput(); err != nil {
				t.Fatalf("%s is not tidy: %v\n%s", file, err, out)
			}
			ours := readMod(t, file)
			if got := ours.versions()[lint]; got != version {
				t.Fatalf("%s selects golangci-lint %s", file, got)
			}
			var module struct{ GoMod string }
			out, err := exec.Command("go", "list", "-modfile="+file, "-m", "-json", lint).Output()
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(out, &module); err != nil {
				t.Fatal(err)
			}
			theirs := readMod(t, module.GoMod)
			if ours.Go != theirs.Go || ours.Toolchain != theirs.Toolchain {
				t.Errorf("go %s %s, golangci-lint asks for %s %s", ours.Go, ours.Toolchain, theirs.Go, theirs.Toolchain)
			}
			pinned := theirs.versions()
			for path, version := range ours.versions() {
				switch pin, ok := pinned[path]; {
				case path == lint || path == "github.com/operatorvet/operatorvet":
				case !ok:
					t.Errorf("%s %s is needed by operatorvet alone", path, version)
				case version != pin:
					t.Errorf("%s %s, golangci-lint asks for %s", path, version, pin)
				}
			}
		})
	}
}

// modFile is the content of a go.mod.
type modFile struct {
	Go, Toolchain string
	Require       []struct{ Path, Version string }
}

func (m *modFile) versions() map[string]string {
	versions := make(map[string]string)
	for _, r := range m.Require {
		versions[r.Path] = r.Version
	}
	return versions
}

func readMod(t *testing.T, file string) *modFile {
	t.Helper()
	cmd := exec.Command("go", "mod", "edit", "-json", filepath.Base(file))
	cmd.Dir = filepath.Dir(file)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", cmd, err)
	}
	m := new(modFile)
	if err := json.Unmarshal(out, m); err != nil {
		t.Fatal(err)
	}
	return m
}
