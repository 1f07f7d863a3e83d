package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
)

// results is the content of the JSON output. Times are in seconds.
type results struct {
	Machine string
	Tools   []string
	Rounds  int
	Bodies  []body
}

type body struct {
	Name, Version string
	Lines         int        // of Go, with tests
	Edited        string     `json:",omitempty"`
	Measured      []measured `json:",omitempty"`
	Partly        []partly   `json:",omitempty"`
	Gopls         *editing   `json:",omitempty"`
}

type measured struct {
	Tool, State    string
	CPU, Wall, MiB float64   // medians; MiB is of the largest process
	CPUs, Walls    []float64 // in the order of the rounds
}

// machine describes the machine and the date of the measurement.
func machine() string {
	model := ""
	data, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(data)) {
		if key, val, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			model = ", " + strings.TrimSpace(val)
			break
		}
	}
	return fmt.Sprintf("%s, %d × %s%s, %s", time.Now().Format(time.DateOnly), runtime.NumCPU(), runtime.GOARCH, model, runtime.Version())
}

// get returns the measurements of a tool in a state, or zeros if there are none.
func (b *body) get(tool, state string) measured {
	for _, m := range b.Measured {
		if m.Tool == tool && m.State == state {
			return m
		}
	}
	return measured{}
}

func (b *body) cpu(tool, state string) float64 { return b.get(tool, state).CPU }

func (r *results) markdown() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s. Medians of %d; CPU seconds of all processes, wall seconds, and the memory of the largest process.\n", r.Machine, r.Rounds)
	for _, b := range r.Bodies {
		fmt.Fprintf(&out, "\n### %s (%s, %d lines)\n\n", b.Name, b.Version, b.Lines)
		if len(b.Measured) > 0 {
			fmt.Fprintf(&out, "| tool | caches | CPU | wall | memory | operatorvet's CPU is |\n|---|---|---|---|---|---|\n")
		}
		for _, m := range b.Measured {
			ratio := ""
			if own := b.cpu(operatorvet, m.State); own > 0 && m.Tool != operatorvet {
				ratio = fmt.Sprintf("%.2f of that", own/m.CPU)
			}
			fmt.Fprintf(&out, "| %s | %s | %.1f s | %.1f s | %.0f MiB | %s |\n", m.Tool, m.State, m.CPU, m.Wall, m.MiB, ratio)
		}
		if b.Gopls != nil {
			fmt.Fprintf(&out, "\nTyping into %s:\n\n", b.Gopls.File)
			fmt.Fprintf(&out, "| server | edit to diagnostic | CPU | start to first diagnostic | memory |\n|---|---|---|---|---|\n")
			for _, s := range b.Gopls.Servers {
				fmt.Fprintf(&out, "| %s | %.2f s | %.2f s | %.1f s | %.0f MiB |\n", s.Server, s.Edit, s.CPU, s.First, s.MiB)
			}
		}
		if len(b.Partly) > 0 {
			fmt.Fprintf(&out, "| compiled | -deps=auto | -deps=source | -deps=export | auto of the better |\n|---|---|---|---|---|\n")
			for _, p := range b.Partly {
				fmt.Fprintf(&out, "| %d %% | %.1f s | %.1f s | %.1f s | %.2f |\n", p.Share, p.Auto, p.Source, p.Export, p.Auto/min(p.Source, p.Export))
			}
			continue
		}
		fmt.Fprintf(&out, "\n| bound | at most | measured |\n|---|---|---|\n")
		for _, bound := range b.bounds() {
			if bound.value > 0 && bound.of > 0 {
				fmt.Fprintf(&out, "| %s | %.2f | %.2f |\n", bound.text, bound.most, bound.value/bound.of)
			}
		}
	}
	return out.String()
}

// bound is the maximum of a value, as a ratio to another value.
type bound struct {
	text            string
	most, value, of float64
}

func (b *body) bounds() []bound {
	const large = 150_000 // lines
	vet := bound{"cold, of go vet", 0.15, b.cpu(operatorvet, cold), b.cpu(goVet, cold)}
	if b.Lines > large {
		vet.most = 0.3
	}
	const gib = 1024 // MiB
	return []bound{
		vet,
		{"cold, of staticcheck", 0.2, b.cpu(operatorvet, cold), b.cpu(staticcheck, cold)},
		{"nothing compiled, of go vet", 0.1, b.cpu(operatorvet, bare), b.cpu(goVet, bare)},
		{"warm, of cold", 0.3, b.cpu(operatorvet, warm), b.cpu(operatorvet, cold)},
		{"one file edited, of warm", 1.5, b.cpu(operatorvet, edited), b.cpu(operatorvet, warm)},
		{"memory in GiB, cold", 1, b.get(operatorvet, cold).MiB, gib},
		{"memory in GiB, nothing compiled", 1, b.get(operatorvet, bare).MiB, gib},
		{"cold, of without rules", 2, b.cpu(operatorvet, cold), b.cpu(floor, cold)},
		{"golangci-lint with the plugin, of without, cold", 1.15, b.cpu(golangciAnd, cold), b.cpu(golangci, cold)},
		{"golangci-lint with the plugin, of without, warm", 1.15, b.cpu(golangciAnd, warm), b.cpu(golangci, warm)},
		{"golangci-lint with the plugin, of without, edited", 1.15, b.cpu(golangciAnd, edited), b.cpu(golangci, edited)},
		{"in gopls, from an edit to our diagnostic, of gopls's own", 1.2, b.Gopls.get(ownGopls).Edit, b.Gopls.get(stockGopls).Edit},
		{"memory of gopls, of without", 1.2, b.Gopls.get(ownGopls).MiB, b.Gopls.get(stockGopls).MiB},
	}
}
