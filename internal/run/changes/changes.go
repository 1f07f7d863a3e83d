// Package changes answers which lines of a repository have changed since a git
// revision.
package changes

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Lines are the lines of Go files that were added or changed.
type Lines struct {
	whole  map[string]bool // new files
	ranges map[string][]span
	dirs   map[string]string // real paths, by path
}

// span is a range of lines, both included.
type span struct{ from, to int }

// Since returns the lines that were added or changed between the revision and the
// files as they are now, in the repository around a directory: committed or not. All
// lines of a file count that git neither knows nor ignores. A file that was renamed
// is no new file.
func Since(dir, revision string) (*Lines, error) {
	root, err := git(dir, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	repo := strings.TrimSuffix(string(root), "\n")
	commit, err := git(repo, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	if err != nil {
		return nil, fmt.Errorf("unknown revision %q; a shallow clone has not all", revision)
	}
	diff, err := git(repo, "-c", "core.quotePath=false", "diff", "--unified=0", "--find-renames", "--no-color", "--no-ext-diff", "--no-textconv",
		"--src-prefix=a/", "--dst-prefix=b/", "--ignore-submodules", strings.TrimSpace(string(commit)), "--", "*.go")
	if err != nil {
		return nil, err
	}
	fresh, err := git(repo, "ls-files", "--others", "--exclude-standard", "-z", "--", "*.go")
	if err != nil {
		return nil, err
	}
	l := &Lines{whole: make(map[string]bool), ranges: parse(diff), dirs: make(map[string]string)}
	for name := range strings.SplitSeq(string(fresh), "\x00") {
		l.whole[name] = true
	}
	return l.below(repo), nil
}

// git runs git in a directory. Its error is one line.
func git(dir string, args ...string) ([]byte, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err == nil {
		return out, nil
	}
	if line, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n"); line != "" {
		err = errors.New(strings.TrimPrefix(line, "fatal: "))
	}
	return nil, fmt.Errorf("git: %w", err)
}

// hunk matches the head of a hunk, with the lines after the change.
var hunk = regexp.MustCompile(`^@@ -[0-9]+(?:,([0-9]+))? \+([0-9]+)(?:,([0-9]+))? @@`)

// parse returns the lines that a diff without context adds, by file.
func parse(diff []byte) map[string][]span {
	ranges := make(map[string][]span)
	file := ""
	text := 0 // lines of the hunk that are still to come
	for line := range strings.Lines(string(diff)) {
		line = strings.TrimSuffix(line, "\n")
		if text > 0 && !strings.HasPrefix(line, `\`) {
			text--
			continue
		}
		if name, ok := strings.CutPrefix(line, "+++ "); ok {
			name = strings.TrimSuffix(name, "\t") // there if the name has a space
			if unquoted, err := strconv.Unquote(name); err == nil {
				name = unquoted
			}
			file = strings.TrimPrefix(name, "b/")
			continue
		}
		m := hunk.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		from, _ := strconv.Atoi(m[2])
		count := number(m[3])
		text = number(m[1]) + count
		if count > 0 {
			ranges[file] = append(ranges[file], span{from, from + count - 1})
		}
	}
	return ranges
}

// number returns the number of lines in the head of a hunk; one goes without saying.
func number(s string) int {
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	return 1
}

// below returns the lines under the real paths of their files.
func (l *Lines) below(repo string) *Lines {
	whole, ranges := make(map[string]bool), make(map[string][]span)
	for name := range l.whole {
		whole[l.real(filepath.Join(repo, filepath.FromSlash(name)))] = true
	}
	for name, spans := range l.ranges {
		ranges[l.real(filepath.Join(repo, filepath.FromSlash(name)))] = spans
	}
	return &Lines{whole, ranges, l.dirs}
}

// real returns the path of a file with no symbolic link in that of its directory.
func (l *Lines) real(file string) string {
	dir, name := filepath.Split(file)
	known, ok := l.dirs[dir]
	if !ok {
		known = dir
		if path, err := filepath.EvalSymlinks(dir); err == nil {
			known = path
		}
		l.dirs[dir] = known
	}
	return filepath.Join(known, name)
}

// Touch reports whether one of the lines of a file, both included, was added or
// changed.
func (l *Lines) Touch(file string, from, to int) bool {
	file = l.real(file)
	return l.whole[file] || slices.ContainsFunc(l.ranges[file], func(s span) bool { return s.from <= max(from, to) && from <= s.to })
}
