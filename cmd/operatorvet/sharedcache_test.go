package main_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sharedCache is an environment variable. It names the directory that this
// program serves when the go command runs it as GOCACHEPROG.
const sharedCache = "OPERATORVET_TEST_SHARED_CACHE"

// TestVetIsServedFromASharedCache checks that diagnostics and facts from go vet
// on one machine reach another one through GOCACHEPROG, as docs/ci.md describes.
func TestVetIsServedFromASharedCache(t *testing.T) {
	t.Parallel()
	prog, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := tree(t, `
-- a/a.go --
package a

// Wait knows no context.
func Wait(ready func() bool, sleep func()) {
	for !ready() {
		sleep()
	}
}
-- b/b.go --
package b

import "example.com/m/a"

`+bad+`
var _ = a.Wait
`)
	shared := t.TempDir()
	// machine vets with nothing of its own. It returns what was found, and for
	// which packages the tool had to run.
	machine := func() (found string, vetted []string) {
		cmd := command(dir, "go", "vet", "-x", "-vettool="+binary(t), "./...")
		cmd.Env = append(cmd.Env, "GOCACHE="+t.TempDir(), "GOCACHEPROG="+prog, sharedCache+"="+shared)
		res := execute(t, cmd)
		if res.code != 1 {
			t.Fatalf("exit code %d\n%s", res.code, res.stderr)
		}
		for line := range strings.Lines(res.stderr) {
			fields := strings.Fields(line)
			switch {
			case strings.Contains(line, filepath.Base(binary(t))+" ") && strings.HasSuffix(fields[len(fields)-1], "vet.cfg"):
				vetted = append(vetted, line)
			case strings.Contains(line, ".go:"):
				found += line
			}
		}
		return found, vetted
	}
	first, vetted := machine()
	if len(vetted) < 2 || !strings.Contains(first, "b.go:5:") {
		t.Fatalf("the first machine ran the tool %d times and found\n%s", len(vetted), first)
	}
	second, vetted := machine()
	if len(vetted) != 0 {
		t.Errorf("the second machine ran the tool:\n%s", strings.Join(vetted, ""))
	}
	if second != first {
		t.Errorf("the second machine found\n%s\nthe first\n%s", second, first)
	}
}

// serveCache is a GOCACHEPROG that serves a directory shared by machines.
func serveCache(dir string, in io.Reader, out io.Writer) error {
	type request struct {
		ID                 int64
		Command            string
		ActionID, OutputID []byte
		BodySize           int64
	}
	type response struct {
		ID            int64
		Err           string   `json:",omitempty"`
		KnownCommands []string `json:",omitempty"`
		Miss          bool     `json:",omitempty"`
		OutputID      []byte   `json:",omitempty"`
		Size          int64    `json:",omitempty"`
		DiskPath      string   `json:",omitempty"`
	}
	dec, enc := json.NewDecoder(bufio.NewReader(in)), json.NewEncoder(out)
	if err := enc.Encode(response{KnownCommands: []string{"get", "put", "close"}}); err != nil {
		return err
	}
	object := func(id []byte) string { return filepath.Join(dir, fmt.Sprintf("o%x", id)) }
	action := func(id []byte) string { return filepath.Join(dir, fmt.Sprintf("a%x", id)) }
	for {
		var req request
		if err := dec.Decode(&req); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		res := response{ID: req.ID}
		switch req.Command {
		case "put":
			var body []byte
			if req.BodySize > 0 {
				if err := dec.Decode(&body); err != nil {
					return err
				}
			}
			res.DiskPath = object(req.OutputID)
			for name, data := range map[string][]byte{res.DiskPath: body, action(req.ActionID): req.OutputID} {
				if err := os.WriteFile(name, data, 0o644); err != nil {
					res.Err = err.Error()
				}
			}
		case "get":
			id, err := os.ReadFile(action(req.ActionID))
			info, err2 := os.Stat(object(id))
			if err != nil || err2 != nil {
				res.Miss = true
				break
			}
			res.OutputID, res.Size, res.DiskPath = id, info.Size(), object(id)
		}
		if err := enc.Encode(res); err != nil {
			return err
		}
		if req.Command == "close" {
			return nil
		}
	}
}
