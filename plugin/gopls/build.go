package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/version"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"
)

const (
	goplsModule = "golang.org/x/tools/gopls"
	suiteModule = "github.com/operatorvet/operatorvet"
)

// release is a version of gopls and the Go version that it needs.
type release struct{ version, goVersion string }

func (r release) String() string {
	return fmt.Sprintf("%s (for Go %s)", r.version, strings.TrimPrefix(r.goVersion, "go"))
}

// releases has the releases in which the suite was tested, oldest first. To add
// one, run the tests of this package with its Go version.
var releases = []release{
	{"v0.23.0", "go1.26"},
}

func list(releases []release) string {
	names := make([]string, len(releases))
	for i, r := range releases {
		names[i] = r.String()
	}
	return strings.Join(names, ", ")
}

// choose returns the release want or, if want is empty, the newest one that
// builds with the Go version.
func choose(want, goVersion string) (release, error) {
	var chosen release
	for _, r := range releases {
		builds := version.Compare(goVersion, r.goVersion) >= 0
		if r.version == want && !builds {
			return release{}, fmt.Errorf("gopls %s needs Go %s; this is %s", r.version, strings.TrimPrefix(r.goVersion, "go"), goVersion)
		}
		if r.version == want || want == "" && builds {
			chosen = r
		}
	}
	switch {
	case chosen != (release{}):
		return chosen, nil
	case want != "":
		return release{}, fmt.Errorf("operatorvet was not tested in gopls %s; choose one of %s", want, list(releases))
	default:
		return release{}, fmt.Errorf("no tested gopls builds with %s; there is %s", goVersion, list(releases))
	}
}

// build builds gopls with the suite inside, and moves it to output when it is
// complete. It returns the version that the gopls reports.
//
// gopls has no plugins, and its packages are internal. So it is vendored in a
// module with the same requirements as gopls, no more and nothing newer, and
// built with an overlay over the vendored packages.
func build(ctx context.Context, want, output string, progress io.Writer) (string, error) {
	// In the folder of the output, where moving is renaming; that it cannot be
	// written to shows right away.
	if info, err := os.Stat(output); err == nil && info.IsDir() {
		return "", fmt.Errorf("%s is a folder; -o names a file", output)
	}
	product, err := os.MkdirTemp(filepath.Dir(output), ".gopls-")
	if err != nil {
		return "", fmt.Errorf("cannot write %s: %w", output, err)
	}
	defer os.RemoveAll(product)
	product, err = filepath.Abs(filepath.Join(product, filepath.Base(output)))
	if err != nil {
		return "", err
	}

	dir, err := os.MkdirTemp("", "operatorvet-gopls-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	if dir, err = filepath.EvalSymlinks(dir); err != nil { // as the go command names it
		return "", err
	}
	goVersion, err := goCommand(ctx, dir, "env", "GOVERSION")
	if err != nil {
		return "", err
	}
	gopls, err := choose(want, strings.TrimSpace(goVersion))
	if err != nil {
		return "", err
	}
	from, err := findSuite(ctx)
	if err != nil {
		return "", err
	}
	label := gopls.version + "+operatorvet" // build metadata in the sense of semver
	if from.version != "" {
		label += "." + from.version
	}
	fmt.Fprintf(progress, "building gopls %s, which takes a minute or two\n", label)

	if err := writeModule(ctx, dir, gopls, from); err != nil {
		return "", err
	}
	if _, err := goCommand(ctx, dir, "mod", "vendor"); err != nil {
		return "", err
	}
	overlay, err := writeOverlay(dir)
	if err != nil {
		return "", fmt.Errorf("gopls %s is not as expected: %w", gopls.version, err)
	}
	// -trimpath makes the result, and what the go command caches of it,
	// independent of the folder's name.
	_, err = goCommand(ctx, dir, "build", "-mod=vendor", "-trimpath", "-overlay="+overlay,
		"-ldflags=-X=main.version="+label, "-o", product, goplsModule)
	if err != nil {
		return "", err
	}
	return label, os.Rename(product, output)
}

// An origin is where the suite comes from: a version of its module, or a clone.
type origin struct {
	version string
	clone   string // its folder
}

// findSuite returns the origin of this command itself.
func findSuite(ctx context.Context) (origin, error) {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range append([]*debug.Module{&info.Main}, info.Deps...) {
			if m.Path == suiteModule && m.Replace == nil && m.Sum != "" {
				return origin{version: m.Version}, nil
			}
		}
	}
	dir, err := output(exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", suiteModule))
	if err != nil {
		return origin{}, fmt.Errorf("neither is this a clone of operatorvet, nor was the command built from a version of it: %w", err)
	}
	return origin{clone: strings.TrimSpace(dir)}, nil
}

// writeModule writes the module in which gopls is built. Its go.mod and go.sum
// are those of gopls, with three additions: gopls, the suite, and the modules
// that only the suite requires.
func writeModule(ctx context.Context, dir string, gopls release, from origin) error {
	mod, err := download(ctx, dir, goplsModule, gopls.version)
	if err != nil {
		return err
	}
	file, sums, err := readModule(mod.Dir)
	if err != nil {
		return err
	}
	sums = append(sums, mod.sums()...)

	version, suiteDir := "v0.0.0", from.clone
	if from.version != "" {
		mod, err := download(ctx, dir, suiteModule, from.version)
		if err != nil {
			return err
		}
		version, suiteDir = from.version, mod.Dir
		sums = append(sums, mod.sums()...)
	}
	suiteFile, suiteSums, err := readModule(suiteDir)
	if err != nil {
		return err
	}
	sums = append(sums, suiteSums...)
	if err := require(file, suiteFile.Require); err != nil {
		return fmt.Errorf("the suite does not fit in gopls %s: %w", gopls.version, err)
	}
	err = errors.Join(
		file.AddModuleStmt("gopls-operatorvet"),
		file.AddRequire(goplsModule, gopls.version),
		file.AddTool(goplsModule),
		file.AddRequire(suiteModule, version),
	)
	if from.version == "" {
		err = errors.Join(err, file.AddReplace(suiteModule, "", from.clone, ""))
	}
	if err != nil {
		return err
	}
	for name, content := range map[string][]byte{
		"go.mod":   modfile.Format(file.Syntax),
		"go.sum":   sums,
		"suite.go": []byte("// Package suite has go mod vendor find the suite.\npackage suite\n\nimport _ \"" + suiteModule + "/plugin/gopls/suite\"\n"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// readModule returns the go.mod and the go.sum in dir.
func readModule(dir string) (*modfile.File, []byte, error) {
	name := filepath.Join(dir, "go.mod")
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, nil, err
	}
	file, err := modfile.Parse(name, data, nil)
	if err != nil {
		return nil, nil, err
	}
	sums, err := os.ReadFile(filepath.Join(dir, "go.sum"))
	return file, sums, err
}

// require adds to gopls's requirements those of the suite that gopls does not
// have. If both require a module, gopls's version stays.
func require(gopls *modfile.File, suite []*modfile.Require) error {
	pinned := make(map[string]string)
	for _, r := range gopls.Require {
		pinned[r.Mod.Path] = r.Mod.Version
	}
	for _, r := range suite {
		pin, ok := pinned[r.Mod.Path]
		if !ok {
			gopls.AddNewRequire(r.Mod.Path, r.Mod.Version, r.Indirect)
		} else if semver.Compare(r.Mod.Version, pin) > 0 {
			return fmt.Errorf("it requires %s, gopls %s", r.Mod, pin)
		}
	}
	return nil
}

// module is a module in the output of go mod download.
type module struct{ Path, Version, Dir, Sum, GoModSum, Error string }

// sums returns the module's lines in go.sum.
func (m module) sums() string {
	return fmt.Sprintf("%s %s %s\n%s %s/go.mod %s\n", m.Path, m.Version, m.Sum, m.Path, m.Version, m.GoModSum)
}

func download(ctx context.Context, dir, path, version string) (module, error) {
	// A failure is told in the output, and only shortly outside of it.
	out, err := goCommand(ctx, dir, "mod", "download", "-json", path+"@"+version)
	var mod module
	if json.Unmarshal([]byte(out), &mod) == nil && mod.Error != "" {
		return module{}, errors.New(mod.Error)
	}
	return mod, err
}

// goCommand runs the go command in dir and returns what it prints.
func goCommand(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOTMPDIR="+dir)
	return output(cmd)
}

// output returns what the command prints. Its error is one line.
func output(cmd *exec.Cmd) (string, error) {
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if err == nil {
		return stdout.String(), nil
	}
	command := strings.Join(cmd.Args[:2], " ")
	for line := range strings.Lines(stderr.String()) {
		// Neither progress nor the name of the package that a complaint follows.
		if !strings.HasPrefix(line, "go: downloading ") && !strings.HasPrefix(line, "# ") {
			return stdout.String(), fmt.Errorf("%s: %s", command, strings.TrimSpace(strings.TrimPrefix(line, "go: ")))
		}
	}
	return stdout.String(), fmt.Errorf("%s: %w", command, err)
}
