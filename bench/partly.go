package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// shares are the parts of the dependencies, in percent, that are compiled when
// the values of -deps are compared.
var shares = []int{0, 10, 50, 90, 100}

// partly has the CPU seconds of cold runs with a part of the dependencies compiled.
type partly struct {
	Share        int // in percent
	Auto, Source float64
	Export       float64 // and of compiling the rest
}

// half is a build cache with a part of what a body imports.
type half struct {
	*source
	env  []string
	deps []string // imports before importers
}

// measurePartly measures operatorvet with each value of -deps while more and more of
// the dependencies are compiled, which is done once. It is an error if findings
// differ, or if -deps=auto compiles anything.
//
// A run with -deps=export would compile the rest. It is measured when all is
// compiled, and what compiling took is added.
func measurePartly(work string, b *source, rounds int) ([]partly, error) {
	cache := filepath.Join(work, "partly")
	defer os.RemoveAll(cache)
	h := &half{source: b, env: append(os.Environ(), "GOCACHE="+cache, "OPERATORVET_CACHE=off")}
	out, err := h.list(append([]string{"-deps", "-test", "-f", "{{if not (or .ForTest (and .Module .Module.Main))}}{{.ImportPath}}{{end}}"}, b.patterns...)...)
	if err != nil {
		return nil, err
	}
	h.deps = strings.Fields(out)
	var all []partly
	var compiling []float64 // up to each share
	var spent float64
	var first string
	for _, share := range shares {
		fmt.Fprintf(os.Stderr, "%s, %d %% of %d dependencies compiled\n", b.name, share, len(h.deps))
		if n := len(h.deps) * share / 100; n > 0 {
			s, err := measure(h.command("go", append([]string{"list", "-e", "-export"}, h.deps[:n]...)...), b.dir)
			if err != nil {
				return nil, err
			}
			spent += s.cpu
		}
		compiling = append(compiling, spent)
		p := partly{Share: share}
		for _, way := range []struct {
			deps string
			cpu  *float64
		}{{"source", &p.Source}, {"auto", &p.Auto}, {"export", &p.Export}} {
			if way.deps == "export" && share < 100 {
				continue
			}
			cpu, found, err := h.run(filepath.Join(work, "bin", "operatorvet"), way.deps, rounds)
			if err != nil {
				return nil, err
			}
			if first == "" {
				first = found
			}
			if found != first {
				return nil, fmt.Errorf("-deps=%s with %d %% compiled: other findings:\n%s\nat first:\n%s", way.deps, share, found, first)
			}
			*way.cpu = cpu
		}
		all = append(all, p)
	}
	last := len(all) - 1
	for i := range all {
		all[i].Export = all[last].Export + spent - compiling[i]
	}
	return all, nil
}

// run returns the median of the CPU time, and the findings.
func (h *half) run(binary, deps string, rounds int) (cpu float64, found string, err error) {
	before, err := h.compiled()
	if err != nil {
		return 0, "", err
	}
	var cpus []float64
	for range rounds {
		cmd := h.command(binary, append([]string{"-json", "-deps=" + deps}, h.patterns...)...)
		var stdout bytes.Buffer
		cmd.Stdout = &stdout
		s, err := measure(cmd, h.dir)
		if err != nil {
			return 0, "", err
		}
		cpus, found = append(cpus, s.cpu), stdout.String()
	}
	after, err := h.compiled()
	if deps != "export" && after != before && err == nil {
		err = fmt.Errorf("-deps=%s has compiled something", deps)
	}
	return median(cpus), found, err
}

// compiled returns the files of the dependencies that are up to date.
func (h *half) compiled() (string, error) {
	return h.list(append([]string{"-export", "-n", "-f", "{{.Export}}"}, h.deps...)...)
}

func (h *half) list(args ...string) (string, error) {
	cmd := h.command("go", append([]string{"list", "-e"}, args...)...)
	cmd.Dir = h.dir
	out, err := cmd.Output()
	return string(out), err
}

func (h *half) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Env = h.env
	return cmd
}
