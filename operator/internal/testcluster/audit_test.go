package testcluster

import (
	"os"
	"path/filepath"
	"testing"
)

// A line that is half written when the mark is taken belongs to what was before.
func TestMarkInALine(t *testing.T) {
	t.Parallel()
	log := &AuditLog{path: filepath.Join(t.TempDir(), "audit.log")}
	const first, second, third = `{"verb":"get"}` + "\n", `{"verb":"update"}` + "\n", `{"verb":"patch"}` + "\n"
	if err := os.WriteFile(log.path, []byte(first+second+third), 0o644); err != nil {
		t.Fatal(err)
	}
	for mark, want := range map[Mark]int{
		0:                                 3,
		Mark(len(first)):                  2,
		Mark(len(first) + 5):              1,
		Mark(len(first + second)):         1,
		Mark(len(first+second) + 1):       0,
		Mark(len(first + second + third)): 0,
	} {
		requests, err := log.Since(mark)
		if err != nil || len(requests) != want {
			t.Errorf("at byte %d: %d requests, %v; want %d", mark, len(requests), err, want)
		}
	}
}
