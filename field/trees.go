package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/operatorvet/operatorvet/field/internal/lint"
	"github.com/operatorvet/operatorvet/field/internal/private"
	"github.com/operatorvet/operatorvet/field/internal/record"
)

// treeNames returns the names that a directory with an operator may have.
func treeNames(operator string) []string {
	owner, name, _ := strings.Cut(operator, "/")
	return []string{owner + "+" + name, owner + "-" + name, name, strings.ToLower(owner) + "-" + name}
}

// trees are where the trees of operators are, or what to make them from.
type trees struct {
	laid    string // directory with trees
	clones  string // directory with clones
	overlay string // directory with files to put over trees
	work    string // directory to lay trees out in
}

// of returns the directory with the tree of an operator.
func (t *trees) of(ctx context.Context, op record.Operator) (string, error) {
	if t.laid != "" {
		for _, name := range treeNames(op.Operator) {
			if dir := filepath.Join(t.laid, name); isDir(dir) {
				return dir, nil
			}
		}
		return "", fmt.Errorf("no tree of it in %s", t.laid)
	}
	clone, err := t.clone(ctx, op.Operator)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(t.work, treeNames(op.Operator)[0])
	if err := archive(ctx, clone, op.Commit, dir); err != nil {
		return "", err
	}
	if over := filepath.Join(t.overlay, treeNames(op.Operator)[0]); t.overlay != "" && isDir(over) {
		return dir, private.Tree(over, dir)
	}
	return dir, nil
}

// clone returns the git directory of an operator.
func (t *trees) clone(ctx context.Context, operator string) (string, error) {
	for _, name := range append(treeNames(operator), filepath.FromSlash(operator)) {
		for _, in := range []string{"", ".git", "/repo"} {
			dir := filepath.Join(t.clones, name+in)
			if !isDir(dir) {
				continue
			}
			// Not the repository that the directory is in by chance.
			git, err := lint.Output(ctx, dir, "git", "rev-parse", "--resolve-git-dir", ".")
			if err != nil {
				git, err = lint.Output(ctx, dir, "git", "rev-parse", "--resolve-git-dir", ".git")
			}
			if err == nil && git != "" {
				return dir, nil
			}
		}
	}
	return "", fmt.Errorf("no clone of it in %s", t.clones)
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// archive lays the tree of a commit out in a new directory, without the files whose
// content the clone does not have: some clones are made without large files.
func archive(ctx context.Context, clone, commit, dir string) error {
	absent, err := absentFiles(ctx, clone, commit)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	args := []string{"archive", commit, "--", "."}
	for _, path := range absent {
		args = append(args, ":(exclude,literal)"+path)
	}
	from := exec.CommandContext(ctx, "git", args...)
	from.Dir = clone
	to := exec.CommandContext(ctx, "tar", "-x")
	to.Dir = dir
	pipe, err := from.StdoutPipe()
	if err != nil {
		return err
	}
	to.Stdin = pipe
	var failed strings.Builder
	from.Stderr = &failed
	if err := cmp.Or(from.Start(), to.Start()); err != nil {
		return err
	}
	unpacked := to.Wait()
	if err := from.Wait(); err != nil {
		line, _, _ := strings.Cut(strings.TrimSpace(failed.String()), "\n")
		return fmt.Errorf("git archive %s: %s", commit, cmp.Or(line, err.Error()))
	}
	return unpacked
}

// absentFiles returns the paths of a commit's files whose content the clone does not have.
func absentFiles(ctx context.Context, clone, commit string) ([]string, error) {
	const cannotFetch = "GIT_NO_LAZY_FETCH=1"
	list := exec.CommandContext(ctx, "git", "ls-tree", "-r", "-z", "--format=%(objecttype) %(objectname) %(path)", commit)
	list.Dir, list.Env = clone, append(os.Environ(), cannotFetch)
	var failed strings.Builder
	list.Stderr = &failed
	tree, err := list.Output()
	if err != nil {
		line, _, _ := strings.Cut(strings.TrimSpace(failed.String()), "\n")
		return nil, fmt.Errorf("git ls-tree %s: %s", commit, cmp.Or(line, err.Error()))
	}
	var names strings.Builder
	paths := make(map[string][]string) // by the object's name
	for entry := range strings.SplitSeq(strings.TrimSuffix(string(tree), "\x00"), "\x00") {
		kind, rest, _ := strings.Cut(entry, " ")
		if name, path, _ := strings.Cut(rest, " "); kind == "blob" {
			fmt.Fprintln(&names, name)
			paths[name] = append(paths[name], path)
		}
	}
	check := exec.CommandContext(ctx, "git", "cat-file", "--batch-check=%(objectname)")
	check.Dir, check.Env = clone, append(os.Environ(), cannotFetch)
	check.Stdin = strings.NewReader(names.String())
	answers, err := check.Output()
	if err != nil {
		return nil, fmt.Errorf("git cat-file: %w", err)
	}
	var absent []string
	for line := range strings.Lines(string(answers)) {
		if name, ok := strings.CutSuffix(strings.TrimSpace(line), " missing"); ok {
			absent = append(absent, paths[name]...)
			delete(paths, name)
		}
	}
	slices.Sort(absent)
	return absent, nil
}
