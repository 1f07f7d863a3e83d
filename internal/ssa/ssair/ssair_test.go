package ssair_test

import (
	"maps"
	"testing"

	"github.com/operatorvet/operatorvet/internal/ssa/ssair"
	"github.com/operatorvet/operatorvet/internal/testing/source"
)

// TestFilesWithoutSSA checks that functions in test files and in generated files
// may be called but have no SSA.
func TestFilesWithoutSSA(t *testing.T) {
	t.Parallel()
	for file, built := range map[string]bool{
		"thing.go":                      true,
		"zz_generated.managed.go":       true, // written by another generator
		"generated.go":                  true,
		"thing_test.go":                 false,
		"zz_generated.deepcopy.go":      false,
		"zz_generated.conversion.go":    false,
		"zz_generated.defaults.go":      false,
		"zz_generated.openapi.go":       false,
		"zz_generated.validations.go":   false,
		"my_zz_generated.deepcopy.go":   true,
		"zz_generated.deepcopy_test.go": false,
	} {
		pkg := source.Archive(t, ssair.Analyzer, `
-- m/caller.go --
package m
func call(t *T) { t.Fill(); Fill(t) }
-- m/`+file+` --
package m
var n = func() int { return 1 }()
type T struct{ n int }
func (t *T) Fill() { t.n = n }
func Fill(t *T) { t.Fill() }
`)["m"].(*ssair.Package)
		names := make(map[string]bool)
		for _, fn := range pkg.Funcs {
			names[fn.String()] = true
		}
		want := map[string]bool{"m.call": true}
		if built {
			want["(*m.T).Fill"], want["m.Fill"], want["m.init$1"] = true, true, true
		}
		if !maps.Equal(names, want) {
			t.Errorf("%s: functions %v, want %v", file, names, want)
		}
	}
}
