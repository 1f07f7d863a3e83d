package output

import (
	"path/filepath"
	"strings"

	"github.com/operatorvet/operatorvet/internal/run/load"
)

// failureLine returns a failure on one line: package, place, reason.
func failureLine(f load.Failure, dir string) string {
	var parts []string
	if f.Package != "" && !strings.Contains(f.Message, " at "+f.Package+": ") { // an internal error says where
		parts = append(parts, f.Package)
	}
	if f.Pos != "" {
		file, rest, ok := splitPos(f.Pos)
		if ok && filepath.IsAbs(file) {
			file = relative(dir, file)
		}
		parts = append(parts, file+rest)
	}
	return strings.Join(append(parts, f.Message), ": ")
}

// splitPos splits "file:line:col" after the file.
func splitPos(pos string) (file, rest string, ok bool) {
	end := len(pos)
	for range 2 {
		i := strings.LastIndexByte(pos[:end], ':')
		if i < 0 || i+1 == end || strings.Trim(pos[i+1:end], "0123456789") != "" {
			break
		}
		end = i
	}
	return pos[:end], pos[end:], true
}
