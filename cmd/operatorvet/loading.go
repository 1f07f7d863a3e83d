package main

import (
	"flag"
	"fmt"
	"strings"

	"github.com/operatorvet/operatorvet/internal/run/load"
)

// loading are the flags of the subcommands that load packages.
type loading struct{ dir, tags, deps string }

func (l *loading) flags(fs *flag.FlagSet) {
	fs.StringVar(&l.dir, "C", ".", "change to `dir` first")
	fs.StringVar(&l.tags, "tags", "", "build `tags`, separated by commas")
	fs.StringVar(&l.deps, "deps", string(load.Auto), "take types of dependencies `from` export, source or auto; see operatorvet -h")
}

// config returns what to load: the packages that the patterns name, or all.
func (l *loading) config(patterns []string) (load.Config, error) {
	deps := load.Deps(l.deps)
	if deps != load.Auto && deps != load.Export && deps != load.Source {
		return load.Config{}, fmt.Errorf("-deps=%s: want auto, export or source", l.deps)
	}
	for _, pattern := range patterns {
		if strings.HasPrefix(pattern, "-") {
			return load.Config{}, fmt.Errorf("flag %s after a package; flags come first", pattern)
		}
	}
	dir, err := directory(l.dir)
	if err != nil {
		return load.Config{}, err
	}
	cfg := load.Config{Dir: dir, Patterns: patterns, Deps: deps}
	if len(patterns) == 0 {
		cfg.Patterns = []string{"./..."}
	}
	if l.tags != "" {
		cfg.BuildFlags = []string{"-tags=" + l.tags}
	}
	return cfg, nil
}
