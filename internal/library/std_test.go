package library_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/operatorvet/operatorvet/internal/library"
)

// TestStandardLibrary asks the go command which packages are standard. A newer
// Go may add some.
func TestStandardLibrary(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("go", "list", "std").Output()
	if err != nil {
		t.Fatal(err)
	}
	for path := range strings.FieldsSeq(string(out)) {
		elems := strings.Split(path, "/")
		if slices.Contains(elems, "internal") || elems[0] == "vendor" {
			continue // nobody else can import it
		}
		if !library.IsStandard(path) {
			t.Errorf("%s is standard", path)
		}
	}
	for _, path := range []string{"", "operator", "operator/sync", "plugin/sync", "sync/internal/operator", "example.com/sync", "command-line-arguments"} {
		if library.IsStandard(path) {
			t.Errorf("%q is not standard", path)
		}
	}
}
