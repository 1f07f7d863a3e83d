// Package kubebuilder_test holds operatorvet to silence on what kubebuilder
// writes: the projects that it scaffolds, in every layout, and those that its
// tutorials end with. kubebuilder's released module writes them; its path has
// this module below it, so that it may import the tutorials' packages.
package kubebuilder_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// makefile stands for make, which kubebuilder runs after each command: what of the
// projects' Makefile completes their code is done once, at the end. The rest builds,
// tests and deploys.
const makefile = "#!/bin/sh\n"

// bin is the directory of the commands under test.
var bin string

func TestMain(m *testing.M) {
	code, err := build(m.Run)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// build makes the commands and runs the tests.
func build(run func() int) (code int, err error) {
	bin, err = os.MkdirTemp("", "kubebuilder")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(bin)
	if err := os.WriteFile(filepath.Join(bin, "make"), []byte(makefile), 0o755); err != nil {
		return 0, err
	}
	for _, args := range [][]string{
		{"build", "-o", bin + "/", "sigs.k8s.io/kubebuilder/v4", "sigs.k8s.io/controller-tools/cmd/controller-gen", "./tutorials"},
		{"-C", "../..", "build", "-o", bin + "/", "./cmd/operatorvet"},
	} {
		cmd := exec.Command("go", args...)
		cmd.Env = append(os.Environ(), "GOWORK=off")
		if out, err := cmd.CombinedOutput(); err != nil {
			return 0, fmt.Errorf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	return run(), nil
}

// run runs one of the commands, or another, in dir. It returns what it printed
// and its exit code.
func run(t *testing.T, dir, name string, args ...string) (out string, code int) {
	t.Helper()
	path := filepath.Join(bin, name)
	if _, err := os.Stat(path); err != nil {
		path = name
	}
	cmd := exec.Command(path, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PWD="+dir, "GOWORK=off", "GOFLAGS=", "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	data, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(data), cmd.ProcessState.ExitCode()
}

// must runs a command that has to succeed.
func must(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	if out, code := run(t, dir, name, args...); code != 0 {
		t.Fatalf("%s %s: exit code %d\n%s", name, strings.Join(args, " "), code, out)
	}
}

// wantSilence completes a project and runs operatorvet on it.
func wantSilence(t *testing.T, dir string) {
	t.Helper()
	must(t, dir, "go", "mod", "tidy")
	must(t, dir, "controller-gen", "object", "paths=./...")
	must(t, dir, "go", "fmt", "./...") // without which a tutorial imports a package twice
	if out, code := run(t, dir, "operatorvet", "./..."); code != 0 || out != "" {
		t.Errorf("exit code %d\n%s", code, out)
	}
}

// wantFinding runs operatorvet on a project after an edit that puts a bug into
// it: silence before was not for want of understanding.
func wantFinding(t *testing.T, dir, file, before, after, finding string) {
	t.Helper()
	file = filepath.Join(dir, filepath.FromSlash(file))
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(data), before) {
		t.Fatalf("no %q in %s:\n%s", before, file, data)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(data), before, after, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, code := run(t, dir, "operatorvet", "./..."); code != 3 || !strings.Contains(out, finding) {
		t.Errorf("exit code %d; no %q in\n%s", code, finding, out)
	}
}

// scaffolds are the commands that make projects: each plugin that writes Go,
// each layout, each sort of controller and webhook.
var scaffolds = map[string]string{
	"plain": `
		init
		create api --group ship --version v1 --kind Frigate --resource --controller --controller`,

	"kinds": `
		init
		create api --group crew --version v1 --kind Captain --controller-name=captain --resource --controller
		create api --group crew --version v1 --kind Captain --resource=false --controller-name=captain-backup --controller
		create api --group crew --version v1 --kind Admiral --plural=admirales --namespaced=false --resource --controller
		create api --group crew --version v1 --kind Passenger --controller=false --resource
		create api --group core --version v1 --kind Pod --resource=false --controller
		create api --group apps --version v1 --kind Deployment --resource=false --controller
		create api --group crew --version v1 --kind FirstMate --resource --controller
		create api --group crew --version v2 --kind FirstMate --controller=false --resource
		create webhook --group crew --version v1 --kind FirstMate --conversion --spoke v2
		create webhook --group crew --version v1 --kind Captain --defaulting --programmatic-validation
		create webhook --group crew --version v1 --kind Admiral --plural=admirales --programmatic-validation --validation-path=/validate
		create webhook --group core --version v1 --kind Pod --defaulting
		create webhook --group apps --version v1 --kind Deployment --defaulting --programmatic-validation`,

	"multigroup": `
		init --multigroup
		create api --group crew --version v1 --kind Captain --resource --controller
		create api --group ship --version v1beta1 --kind Frigate --resource --controller
		create api --group ship --version v1 --kind Destroyer --namespaced=false --resource --controller
		create api --group foo.policy --version v1 --kind Check --resource --controller
		create api --group apps --version v1 --kind Deployment --resource=false --controller
		create webhook --group ship --version v1 --kind Destroyer --defaulting
		create api --group example --version v1alpha1 --kind Memcached --plugins=deploy-image/v1-alpha --image=memcached:1.6 --image-container-command=memcached,-v --image-container-port=11211 --run-as-user=1001
		edit --plugins=grafana/v1-alpha`,

	"namespaced": `
		init --namespaced --license none
		create api --group example --version v1alpha1 --kind Busybox --plugins=deploy-image/v1-alpha --image=busybox:1.36
		create api --group example --version v1alpha1 --kind Memcached --plugins=deploy-image/v1-alpha --image=memcached:1.6 --image-container-port=11211
		create webhook --group example --version v1alpha1 --kind Memcached --programmatic-validation`,
}

func TestScaffolds(t *testing.T) {
	t.Parallel()
	for name, commands := range scaffolds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for line := range strings.Lines(commands) {
				args := strings.Fields(line)
				switch {
				case len(args) == 0:
					continue
				case args[0] == "init":
					args = append(args, "--domain", "example.com", "--repo", "example.com/"+name)
				case args[0] == "create":
					args = append(args, "--make=false") // once is enough
				}
				must(t, dir, "kubebuilder", args...)
			}
			wantSilence(t, dir)
			if name == "namespaced" {
				wantFinding(t, dir, "internal/controller/busybox_controller.go",
					"Owns(&appsv1.Deployment{}).", "", "Reconcile creates appsv1.Deployment")
			}
		})
	}
}

func TestTutorials(t *testing.T) {
	t.Parallel()
	type bug struct{ file, before, after, finding string }
	unwatched := bug{
		"internal/controller/memcached_controller.go",
		"Owns(&appsv1.Deployment{}).", "",
		"Reconcile creates appsv1.Deployment",
	}
	const update = "\n\tif err := r.Status().Update("
	stamped := bug{
		"internal/controller/cronjob_controller.go",
		update, "\n\tcronJob.Status.LastScheduleTime = &metav1.Time{Time: time.Now()}" + update,
		"time.Now reaches CronJob status.lastScheduleTime",
	}
	for name, bug := range map[string]bug{"getting-started": unwatched, "cronjob": stamped, "multiversion": stamped} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			must(t, dir, "tutorials", name, filepath.Join(bin, "kubebuilder"), dir)
			wantSilence(t, dir)
			wantFinding(t, dir, bug.file, bug.before, bug.after, bug.finding)
		})
	}
}
