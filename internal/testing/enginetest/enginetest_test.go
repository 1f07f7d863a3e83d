package enginetest

import (
	"testing"
)

// TestStubs type-checks all stubs, also those that no case imports yet.
func TestStubs(t *testing.T) {
	t.Parallel()
	libs := newLibraries()
	files, err := libs.stubs()
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Error("no stubs")
	}
	for path := range files {
		if _, err := libs.declared(path); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}
