package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestNeovim does in a real editor what [TestFindingsWhileTyping] does: types a
// bug, waits until it is marked, applies the code action, and saves.
func TestNeovim(t *testing.T) {
	dir := copyOperator(t)
	file := filepath.Join(dir, filepath.FromSlash(drainFile))
	script, err := filepath.Abs(filepath.Join("testdata", "neovim.lua"))
	if err != nil {
		t.Fatal(err)
	}
	nvim, err := neovim(t)
	if err != nil {
		t.Skipf("no Neovim: %v", err)
	}
	gopls := goplsCommand(t)
	nvim.Args = append(nvim.Args, "--headless", "--clean", file, "-c", "luafile "+script)
	nvim.Dir = dir
	nvim.Env = append(nvim.Environ(), gopls.Env[len(gopls.Env)-1],
		"GOPLS="+gopls.Path, "GOOD="+goodWait, "BAD="+badWait, "XDG_STATE_HOME="+t.TempDir())
	out, err := nvim.CombinedOutput()
	t.Logf("Neovim says:\n%s", out)
	if err != nil {
		t.Fatal(err)
	}
	saved, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if text := string(saved); !strings.Contains(text, "case <-time.After(wait):") || strings.Contains(text, badWait) {
		t.Errorf("saved is:\n%s", text)
	}
}

// neovim returns a command that runs Neovim: the one on the PATH or Debian's,
// unpacked for the test.
func neovim(t *testing.T) (*exec.Cmd, error) {
	if nvim, err := exec.LookPath("nvim"); err == nil {
		return exec.Command(nvim), nil
	}
	dir := t.TempDir()
	shell := func(script string) error {
		cmd := exec.Command("sh", "-ec", script)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			return errors.New("not on the PATH, and Debian's package cannot be had: " + lastLine(out))
		}
		return nil
	}
	const download = `apt-get $options download neovim neovim-runtime lua-luv libluajit-5.1-2 libmsgpackc2 libtermkey1 \
		libtree-sitter0 libunibilium4 libuv1 libvterm0`
	// Package lists of our own where the system has none.
	const update = `options="-o Dir::State::lists=$PWD -o Dir::Cache=$PWD"; apt-get $options update; `
	if err := shell(download); err != nil {
		if err := shell(update + download); err != nil {
			return nil, err
		}
	}
	if err := shell(`for package in *.deb; do dpkg -x $package .; done`); err != nil {
		return nil, err
	}
	libs, err := filepath.Glob(filepath.Join(dir, "usr", "lib", "*-linux-gnu"))
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(filepath.Join(dir, "usr", "bin", "nvim"))
	cmd.Env = append(os.Environ(),
		"LD_LIBRARY_PATH="+strings.Join(libs, ":"),
		"VIMRUNTIME="+filepath.Join(dir, "usr", "share", "nvim", "runtime"))
	return cmd, nil
}

func lastLine(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[len(lines)-1]
}
