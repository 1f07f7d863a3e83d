package mutant_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/operatorvet/operatorvet/field/internal/mutant"
	"github.com/operatorvet/operatorvet/internal/testing/enginetest"
)

// TestMutants compares the mutants of small modules with the patches in
// testdata/KIND.txtar. All of them compile, unless the patches say why not.
func TestMutants(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	tested := make(map[string]bool)
	for _, file := range files {
		tested[strings.TrimSuffix(filepath.Base(file), ".txtar")] = true
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			arc, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want := &arc.Files[len(arc.Files)-1]
			if want.Name != "want" {
				t.Fatalf("the last file is %s, not want", want.Name)
			}
			dir := t.TempDir()
			if err := enginetest.WriteModule(dir, &txtar.Archive{Files: slices.Clone(arc.Files[:len(arc.Files)-1])}); err != nil {
				t.Fatal(err)
			}
			mutants, failures, err := mutant.Collect(dir, []string{"./..."})
			if err != nil || len(failures) > 0 {
				t.Fatal(err, failures)
			}
			var got bytes.Buffer
			for _, m := range mutants {
				fmt.Fprintln(&got, m.Shown())
				patch, err := m.Diff()
				if err != nil {
					t.Errorf("%s: %v", m.Shown(), err)
				}
				got.Write(patch)
			}
			if enginetest.Update() {
				want.Data = got.Bytes()
				if err := os.WriteFile(file, txtar.Format(arc), 0o666); err != nil {
					t.Fatal(err)
				}
			} else if got.String() != string(want.Data) {
				t.Errorf("mutants (-want +got):\n%s", enginetest.Diff(want.Data, got.Bytes()))
			}
		})
	}
	for _, k := range mutant.Kinds() {
		if !tested[k.Name] {
			t.Errorf("no file testdata/%s.txtar", k.Name)
		}
	}
}

func TestSpread(t *testing.T) {
	t.Parallel()
	all := []int{0, 1, 2, 3, 4, 5}
	for n, want := range map[int]string{0: "[0 1 2 3 4 5]", 2: "[0 3]", 4: "[0 1 3 4]", 9: "[0 1 2 3 4 5]"} {
		if got := fmt.Sprint(mutant.Spread(all, n)); got != want {
			t.Errorf("%d: got %s, want %s", n, got, want)
		}
	}
}
