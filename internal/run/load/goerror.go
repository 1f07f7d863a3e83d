package load

import (
	"encoding/json"
	"fmt"
	"go/version"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// sayGoError returns the go command's error message on one line. Package
// packages wraps it in the exit status, the go command in a prefix.
func sayGoError(text string) string {
	wrapping, stderr, wrapped := strings.Cut(text, ": stderr: ")
	if text = firstOf(stderr); !wrapped || text == "" {
		text = firstOf(wrapping)
	}
	text = strings.TrimPrefix(text, "err: ")
	text = strings.TrimPrefix(text, "go: ")
	text = strings.TrimPrefix(text, "-: ")
	if rest, ok := strings.CutPrefix(text, "pattern "); ok {
		_, text, _ = strings.Cut(rest, ": ") // the pattern is named anyway
	}
	return text
}

// firstOf returns what the first lines of a message say: a line, and if that ends in a
// colon, what it announces. That is a line, too, or the commands that help.
func firstOf(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = oneLine(line); line != "" && !isChatter(line) {
			lines = append(lines, line)
		}
	}
	switch {
	case len(lines) == 0:
		return oneLine(text)
	case len(lines) > 1 && strings.HasPrefix(lines[0], "package ") && strings.HasPrefix(lines[1], "imports "):
		return strings.Join(lines, " ") // a cycle, or the way to a package that is not there
	case len(lines) == 1 || !strings.HasSuffix(lines[0], ":"):
		return lines[0]
	}
	announced := lines[1:]
	if other := slices.IndexFunc(announced, func(line string) bool { return !isCommand(line) }); other >= 0 {
		announced = announced[:max(other, 1)]
	}
	return lines[0] + " " + strings.Join(announced, " && ")
}

// isChatter reports whether a line of the go command says what it does, not what is
// wrong.
func isChatter(line string) bool {
	return strings.HasPrefix(line, "# ") || strings.HasPrefix(line, "go: downloading ") ||
		strings.HasPrefix(line, "go: finding ") || strings.HasPrefix(line, "go: warning: ")
}

// isCommand reports whether a line of the go command is a command that helps.
func isCommand(line string) bool {
	return strings.HasPrefix(line, "go ") || strings.HasPrefix(line, "cd ")
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// hint replaces the go command's message about a pattern that names no package, where
// that does not say which one would.
func (cfg *Config) hint(f Failure) Failure {
	if !slices.Contains(cfg.Patterns, f.Package) || f.Pos != "" {
		return f
	}
	switch {
	case strings.Contains(f.Message, "modules listed in go.work"):
		if better := cfg.modulesOfWorkspace(); better != "" {
			f.Message = "outside the modules of go.work; write " + better
		}
	case strings.Contains(f.Message, "does not contain main module"), strings.Contains(f.Message, "does not contain package"):
		dir := strings.TrimSuffix(f.Package, "/...")
		if root := cfg.moduleAbove(dir); root != "" {
			f.Message = "in another module; write -C " + root
		}
	case strings.Contains(f.Message, " is not in std") && cfg.isDir(f.Package):
		f.Message = "no such package; the directory is ./" + filepath.ToSlash(f.Package)
	}
	return f
}

// checkPatterns returns an error for a pattern such as internal/... that is the name of
// a directory and matches packages of the standard library instead.
func (cfg *Config) checkPatterns(roots []*packages.Package) error {
	for _, pattern := range cfg.Patterns {
		dir, ok := strings.CutSuffix(pattern, "/...")
		if !ok || !cfg.isDir(dir) || strings.HasPrefix(pattern, ".") {
			continue
		}
		elsewhere := func(pkg *packages.Package) bool {
			return strings.HasPrefix(pkg.PkgPath+"/", dir+"/") && pkg.Module == nil && len(pkg.GoFiles) > 0 &&
				!strings.HasPrefix(pkg.GoFiles[0], cfg.Dir+string(filepath.Separator))
		}
		if slices.ContainsFunc(roots, elsewhere) {
			return fmt.Errorf("%s: packages of Go's standard library; the directory is ./%[1]s", pattern)
		}
	}
	return nil
}

// modulesOfWorkspace returns the patterns for all packages of the workspace around the
// directory, or "" if it has none.
func (cfg *Config) modulesOfWorkspace() string {
	out, err := goCommand(cfg, "work", "edit", "-json").Output()
	var work struct{ Use []struct{ DiskPath string } }
	if err != nil || json.Unmarshal(out, &work) != nil || len(work.Use) == 0 {
		return ""
	}
	file, err := goEnv(cfg, "GOWORK")
	if err != nil {
		return ""
	}
	var patterns []string
	for _, use := range work.Use {
		dir := filepath.FromSlash(use.DiskPath)
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(filepath.Dir(file), dir)
		}
		if rel, err := filepath.Rel(cfg.Dir, dir); err == nil {
			dir = rel
		}
		dir = filepath.ToSlash(dir)
		if filepath.IsLocal(dir) {
			dir = "./" + dir
		}
		patterns = append(patterns, dir+"/...")
	}
	const most = 3
	some := strings.Join(patterns[:min(len(patterns), most)], " ")
	if len(patterns) > most {
		some += fmt.Sprintf(" and so on, for %d modules", len(patterns))
	}
	// Go has known the pattern since 1.25.
	if v, err := goEnv(cfg, "GOVERSION"); err == nil && version.Compare(v, "go1.25") >= 0 {
		return "work for all of them, or " + some
	}
	return some
}

func goEnv(cfg *Config, name string) (string, error) {
	out, err := goCommand(cfg, "env", name).Output()
	return strings.TrimSpace(string(out)), err
}

// moduleAbove returns the nearest directory at or above dir that has a go.mod, relative
// to the directory of the run if it is below that, else "".
func (cfg *Config) moduleAbove(dir string) string {
	for dir = filepath.Clean(dir); filepath.IsLocal(dir) && dir != "."; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(cfg.Dir, dir, "go.mod")); err == nil {
			return dir
		}
	}
	return ""
}

// isDir reports whether a pattern is the name of a directory.
func (cfg *Config) isDir(pattern string) bool {
	info, err := os.Stat(filepath.Join(cfg.Dir, filepath.FromSlash(pattern)))
	return filepath.IsLocal(pattern) && err == nil && info.IsDir()
}
