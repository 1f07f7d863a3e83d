// Bench measures operatorvet beside the tools that people run anyway: whole
// processes, one after the other in turn, on the same code.
//
//	go run ./bench -md table.md -json table.json operator cluster-api controller-runtime kubernetes
//
// A body of code is one of these names or a directory with a module. Each is
// copied first, since one of the measurements changes a file. Tools have caches
// of their own, empty at first; dependencies are compiled before anything is
// measured. See docs/performance.md.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintf(os.Stderr, "bench: %v\n", err)
		os.Exit(1)
	}
}

// minRounds is the number of rounds below which a median says little.
const minRounds = 3

func run() error {
	rounds := flag.Int("n", minRounds, "measure everything `times` times; medians count")
	only := flag.String("tools", "", "measure these `tools` only, separated by commas")
	markdown := flag.String("md", "", "write the table to this `file` instead of to standard output")
	jsonFile := flag.String("json", "", "write all measurements to this `file`")
	onlyPartly := flag.Bool("partly", false, "measure the values of -deps instead, with a part of the dependencies compiled")
	flag.Parse()
	if *rounds < minRounds {
		return fmt.Errorf("-n=%d: want at least %d rounds; the machine may be busy in one", *rounds, minRounds)
	}
	if flag.NArg() == 0 {
		return fmt.Errorf("want bodies of code to measure on: %s, or directories", strings.Join(bodyNames(), ", "))
	}

	// The same place in every run: the go command knows what it has compiled by
	// the directory.
	work := filepath.Join(os.TempDir(), "operatorvet-bench")
	if err := os.Mkdir(work, 0o777); errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists: wait for the other run, or remove what is left of one", work)
	} else if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if *onlyPartly {
		*only = operatorvet
	}
	all, err := buildTools(work, *only)
	if err != nil {
		return err
	}
	res := &results{Machine: machine(), Rounds: *rounds}
	for _, t := range all {
		res.Tools = append(res.Tools, t.name+" "+t.version)
	}
	processes := slices.DeleteFunc(slices.Clone(all), func(t *tool) bool { return t.name == stockGopls })
	for _, name := range flag.Args() {
		b, err := prepareBody(work, name, len(processes) > 0 && !*onlyPartly)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if *onlyPartly {
			compared, err := measurePartly(work, b, *rounds)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			res.Bodies = append(res.Bodies, body{Name: name, Version: b.version, Lines: b.lines, Partly: compared})
			continue
		}
		samples, err := measureBody(work, b, processes, *rounds)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		var inGopls *editing
		if len(processes) < len(all) {
			if inGopls, err = measureGopls(work, b, *rounds); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		res.Bodies = append(res.Bodies, body{Name: name, Version: b.version, Lines: b.lines, Edited: b.leaf, Measured: summarise(samples), Gopls: inGopls})
	}
	if *jsonFile != "" {
		data, err := json.MarshalIndent(res, "", "\t")
		if err != nil {
			return err
		}
		if err := os.WriteFile(*jsonFile, append(data, '\n'), 0o666); err != nil {
			return err
		}
	}
	if *markdown != "" {
		return os.WriteFile(*markdown, []byte(res.markdown()), 0o666)
	}
	fmt.Print(res.markdown())
	return nil
}

// measureBody runs the tools in turn, once per round in each state.
func measureBody(work string, b *source, all []*tool, rounds int) ([]sample, error) {
	var samples []sample
	for round := range rounds {
		for _, t := range all {
			// A tool's caches are new in every round.
			start, err := t.fresh(filepath.Join(work, "caches", fmt.Sprint(b.name, t.name, round)))
			if err != nil {
				return nil, err
			}
			for _, state := range []string{cold, warm, edited} {
				if state == edited {
					if err := b.edit(); err != nil {
						return nil, err
					}
				}
				fmt.Fprintf(os.Stderr, "round %d: %s, %s, %s\n", round+1, b.name, t.name, state)
				s, err := measure(start(b.patterns), b.dir)
				if err != nil {
					return nil, fmt.Errorf("%s, %s: %w", t.name, state, err)
				}
				s.tool, s.state = t.name, state
				samples = append(samples, s)
				if !t.caches {
					break // each of its runs is like the first
				}
			}
			if t.bare {
				s, err := measureBare(filepath.Join(work, "bare"), b, t)
				if err != nil {
					return nil, err
				}
				samples = append(samples, s)
			}
		}
	}
	return samples, nil
}

// measureBare runs a tool with an empty build cache of its own.
func measureBare(caches string, b *source, t *tool) (sample, error) {
	defer os.RemoveAll(caches)
	start, err := t.fresh(caches)
	if err != nil {
		return sample{}, err
	}
	cmd := start(b.patterns)
	cmd.Env = append(cmd.Environ(), "GOCACHE="+filepath.Join(caches, "build"))
	fmt.Fprintf(os.Stderr, "%s, %s, %s\n", b.name, t.name, bare)
	s, err := measure(cmd, b.dir)
	s.tool, s.state = t.name, bare
	return s, err
}

// The states of a tool's caches.
const (
	bare   = "nothing compiled" // cold, and the go command's cache is empty, too
	cold   = "cold"             // empty
	warm   = "warm"             // nothing changed
	edited = "edited"           // a comment more in a file of a package that programs import at most
)

// summarise returns the medians, in order of tools and states.
func summarise(samples []sample) []measured {
	var all []measured
	for _, s := range samples {
		if slices.ContainsFunc(all, func(m measured) bool { return m.Tool == s.tool && m.State == s.state }) {
			continue
		}
		m := measured{Tool: s.tool, State: s.state}
		var memory []float64
		for _, t := range samples {
			if t.tool == s.tool && t.state == s.state {
				m.CPUs = append(m.CPUs, t.cpu)
				m.Walls = append(m.Walls, t.wall)
				memory = append(memory, t.mib)
			}
		}
		m.CPU, m.Wall, m.MiB = median(m.CPUs), median(m.Walls), median(memory)
		all = append(all, m)
	}
	return all
}

func median(of []float64) float64 {
	of = slices.Sorted(slices.Values(of))
	n := len(of)
	return (of[(n-1)/2] + of[n/2]) / 2
}
