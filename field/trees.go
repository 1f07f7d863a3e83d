package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
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
	objects, err := lint.Output(ctx, clone, "git", "rev-list", "--objects", "--no-object-names", "--no-walk", "--missing=print", commit)
	if err != nil {
		return nil, err
	}
	absent := make(map[string]bool)
	for name := range strings.Lines(objects) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(name), "?"); ok {
			absent[name] = true
		}
	}
	if len(absent) == 0 {
		return nil, nil
	}
	tree, err := lint.Output(ctx, clone, "git", "ls-tree", "-r", "-z", "--format=%(objectname) %(path)", commit)
	if err != nil {
		return nil, err
	}
	var paths []string
	for entry := range strings.SplitSeq(tree, "\x00") {
		if name, path, _ := strings.Cut(entry, " "); absent[name] {
			paths = append(paths, path)
		}
	}
	return paths, nil
}
