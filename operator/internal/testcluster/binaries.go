package testcluster

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

// kubernetesVersion is the one that controlplane/go.mod requires, for the
// version that the binaries tell.
const kubernetesVersion = "v1.36.3"

// componentNames are the names under which the one binary is started.
var componentNames = [...]string{"kube-apiserver", "kube-controller-manager", "kube-scheduler", "etcd"}

// buildFlags never change: another CGO_ENABLED, -trimpath or -gcflags compiles
// all of Kubernetes anew. No debug information makes the build cache smaller by
// a third, and without inlining the compiler takes a quarter less CPU time.
var buildFlags = []string{
	"-trimpath", "-buildvcs=false", "-gcflags=all=-dwarf=false -l",
	"-ldflags=-s -w" +
		" -X k8s.io/component-base/version.gitVersion=" + kubernetesVersion +
		" -X k8s.io/client-go/pkg/version.gitVersion=" + kubernetesVersion,
}

// Binaries returns the folder that holds the control plane's programs:
// KUBEBUILDER_ASSETS where that has all of them, else a folder of the user's
// cache. The first call on a machine builds them from source, which takes
// minutes, and says so; whoever calls meanwhile, in any process, waits for that
// build.
//
// setup-envtest's assets have only the API server and etcd. They are not used:
// without the other programs no pod runs, and programs of different versions
// would test a cluster that nobody has.
func Binaries(ctx context.Context) (string, error) {
	out := newTerminal()
	if dir := os.Getenv("KUBEBUILDER_ASSETS"); dir != "" {
		lacking, err := lackingPrograms(dir)
		if err != nil {
			return "", fmt.Errorf("KUBEBUILDER_ASSETS: %w", err)
		}
		if len(lacking) == 0 {
			return dir, nil
		}
		fmt.Fprintf(out, "testcluster: KUBEBUILDER_ASSETS is not used: %s has no %s\n", dir, strings.Join(lacking, ", "))
	}
	source, err := sourceDir(ctx)
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	key, err := cacheKey(source)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "operatorvet-testcluster", key)
	if complete(dir) {
		return dir, nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", err
	}
	unlock, err := lock(ctx, dir+".lock", func() {
		fmt.Fprintln(out, "testcluster: waiting for another process that builds the control plane")
	})
	if err != nil {
		return "", err
	}
	defer unlock()
	if complete(dir) { // built while we waited
		return dir, nil
	}
	if err := build(ctx, source, dir, out); err != nil {
		return "", fmt.Errorf("building the control plane in %s: %w", source, err)
	}
	return dir, nil
}

// lackingPrograms names the programs of a control plane that dir does not have.
func lackingPrograms(dir string) (lacking []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, name := range componentNames {
		if !slices.ContainsFunc(entries, func(entry os.DirEntry) bool { return entry.Name() == name }) {
			lacking = append(lacking, name)
		}
	}
	return lacking, nil
}

// sourceDir finds the module of the control plane. It is no part of this one,
// so neither an import nor an embedding leads to it.
func sourceDir(ctx context.Context) (string, error) {
	gomod, err := exec.CommandContext(ctx, "go", "env", "GOMOD").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOMOD: %w", err)
	}
	dir := filepath.Join(filepath.Dir(strings.TrimSpace(string(gomod))), "internal", "testcluster", "controlplane")
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
		return "", fmt.Errorf("the control plane's module is only found from within the operator's: %w", err)
	}
	return dir, nil
}

// cacheKey names what the binaries were made from, so that another checkout
// shares them and a change of any of it makes new ones.
func cacheKey(source string) (string, error) {
	hash := sha256.New()
	for _, name := range []string{"go.mod", "go.sum", "main.go"} {
		content, err := os.ReadFile(filepath.Join(source, name))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(hash, "%s %d\n%s", name, len(content), content)
	}
	fmt.Fprintln(hash, buildFlags)
	return fmt.Sprintf("%s-%s-%s-%s-%.12x", kubernetesVersion, runtime.Version(), runtime.GOOS, runtime.GOARCH, hash.Sum(nil)), nil
}

// complete tells whether dir was renamed into place, hence built and checked.
func complete(dir string) bool {
	_, err := os.Stat(dir)
	return err == nil
}

// build makes dir. A build cache of its own keeps gigabytes out of the user's;
// it goes when the build is done, and stays for the next try when it is cut
// short, say by a test's timeout.
func build(ctx context.Context, source, dir string, out io.Writer) error {
	start := time.Now()
	partial, buildCache := dir+".partial", dir+".gocache"
	if err := os.RemoveAll(partial); err != nil {
		return err
	}
	if err := os.MkdirAll(partial, 0o755); err != nil {
		return err
	}
	fmt.Fprintf(out, "testcluster: no control plane at %s\n"+
		"testcluster: building Kubernetes %s and etcd from source, once: about 12 minutes of CPU time, 100 MB of download, 3 GB of disk meanwhile and 140 MB for good\n"+
		"testcluster: (KUBEBUILDER_ASSETS=folder with %s saves this)\n", dir, kubernetesVersion, strings.Join(componentNames[:], ", "))

	env := append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS="+parallelism(os.Getenv("GOFLAGS")), "GOWORK=off", "GOCACHE="+buildCache)
	list := exec.CommandContext(ctx, "go", "list", "-deps", ".") // downloads too
	list.Dir, list.Env, list.Stderr = source, env, out
	packages, err := list.Output()
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	progress := &progress{out: out, total: bytes.Count(packages, []byte("\n")), start: start, shown: time.Now()}
	program := filepath.Join(partial, componentNames[0])
	compile := exec.CommandContext(ctx, "go", append(append([]string{"build", "-v", "-o", program}, buildFlags...), ".")...)
	compile.Dir, compile.Env = source, env
	if err := progress.follow(compile); err != nil {
		return fmt.Errorf("go build: %w", err)
	}
	for _, name := range componentNames[1:] {
		if err := os.Symlink(componentNames[0], filepath.Join(partial, name)); err != nil {
			return err
		}
	}
	if err := check(ctx, partial); err != nil {
		return err
	}
	if err := os.Rename(partial, dir); err != nil {
		return err
	}
	fmt.Fprintf(out, "testcluster: control plane built in %s: %s\n", time.Since(start).Round(time.Second), dir)
	return os.RemoveAll(buildCache)
}

// parallelism keeps of the user's GOFLAGS how many compilers run at once, and
// drops what would change the build.
func parallelism(goflags string) string {
	for _, flag := range strings.Fields(goflags) {
		if strings.HasPrefix(flag, "-p=") {
			return flag
		}
	}
	return ""
}

// check runs every program once.
func check(ctx context.Context, dir string) error {
	for _, name := range componentNames {
		if out, err := exec.CommandContext(ctx, filepath.Join(dir, name), "--version").CombinedOutput(); err != nil {
			return fmt.Errorf("%s --version: %w: %s", name, err, bytes.TrimSpace(out))
		}
	}
	return nil
}

// progress tells how far a build is, from the packages that go build -v names.
type progress struct {
	out          io.Writer
	total        int
	start, shown time.Time
}

func (p *progress) follow(build *exec.Cmd) error {
	stderr, err := build.StderrPipe()
	if err != nil {
		return err
	}
	if err := build.Start(); err != nil {
		return err
	}
	var last []string // says what went wrong, if something does
	compiled := 0
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		compiled++
		if last = append(last, lines.Text()); len(last) > 20 {
			last = last[1:]
		}
		if time.Since(p.shown) > 10*time.Second {
			p.shown = time.Now()
			fmt.Fprintf(p.out, "testcluster: %s: %d of %d packages\n", time.Since(p.start).Round(time.Second), compiled, p.total)
		}
	}
	if err := build.Wait(); err != nil {
		return fmt.Errorf("%w\n%s", err, strings.Join(last, "\n"))
	}
	return nil
}

// newTerminal returns where a person sees progress at once: go test keeps a
// test's output back until the test is over, and a test that builds for minutes
// without a word looks hung.
func newTerminal() io.Writer {
	if info, err := os.Stderr.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
		return os.Stderr
	}
	if tty, err := os.OpenFile("/dev/tty", os.O_WRONLY, 0); err == nil {
		return io.MultiWriter(os.Stderr, tty)
	}
	return os.Stderr
}

// lock takes the file lock at path, which ends with the process at the latest.
// It calls waiting when another process holds it.
func lock(ctx context.Context, path string, waiting func()) (unlock func(), err error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	for tries := 0; ; tries++ {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return func() { file.Close() }, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			file.Close()
			return nil, fmt.Errorf("locking %s: %w", path, err)
		}
		if tries == 0 {
			waiting()
		}
		select {
		case <-ctx.Done():
			file.Close()
			return nil, context.Cause(ctx)
		case <-time.After(200 * time.Millisecond):
		}
	}
}
