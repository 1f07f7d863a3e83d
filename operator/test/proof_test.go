package test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/operatorvet/operatorvet/operator/api/v1alpha1"
	"github.com/operatorvet/operatorvet/operator/internal/testcluster"
)

var proof = flag.String("proof", "", "write what TestProof shows to this file")

// watched is how long a mutant is watched doing what it should not, or not doing what it should.
const watched = 15 * time.Second

// mutant is the operator with one bug put back.
type mutant struct {
	// patch is a file of mutants, without .patch. It begins with the rule that the bug is of.
	patch string
	// bug says what the patch does.
	bug string
	// line is the source line that the linter must point at.
	line string
}

func (m mutant) rule() string {
	rule, _, _ := strings.Cut(m.patch, "-")
	return rule
}

// shows are the ways in which bugs show on a cluster.
var shows = []struct {
	name string
	// show provokes a bug and returns what the cluster shows, and whether that is the bug.
	show    func(t *testing.T, operator *operator) (seen string, broken bool)
	mutants []mutant
}{
	{"scale-out during a drain", scaleOutDuringDrain, []mutant{{
		patch: "ctxloop",
		bug:   "the reconcile waits until pods have drained, and sleeps, whatever becomes of its context",
		line:  "for order = r.ask(ctx, thing, victims); order.again > 0; order = r.ask(ctx, thing, victims) {",
	}, {
		patch: "ctxloop-field",
		bug:   "the same, with the sleep in a field that `main` sets",
		line:  "for order = r.ask(ctx, thing, victims); order.again > 0; order = r.ask(ctx, thing, victims) {",
	}}},
	{"leftovers of a drain", leftoversOfADrain, []mutant{{
		patch: "deadcleanup",
		bug:   "the reconcile waits until pods have drained, and takes a drain back on the context that has cut it short, instead of leaving it to the next reconcile",
		line:  "_, _ = r.Drainer.Release(ctx, victims)",
	}, {
		patch: "deadcleanup-helper",
		bug:   "the same, through a helper that looks at the error and calls a function",
		line:  "defer onError(ctx, &err, func(ctx context.Context) error {",
	}, {
		patch: "deadcleanup-value",
		bug:   "the same, by a function that another function has returned",
		line:  "undo(ctx)",
	}, {
		patch: "deadcleanup-field",
		bug:   "the same, on a context that a struct keeps",
		line:  "begun.takeBack()",
	}}},
	{"idle", idle, []mutant{{
		patch: "unstablewrite",
		bug:   "the configuration file is rendered in the order of a Go map",
		line:  "for key, value := range config {",
	}}},
	{"looked at again", lookedAtAgain, []mutant{{
		patch: "unstablewrite-condition",
		bug:   "a condition of a Thing that has settled gets the time of each reconcile, from an own function that sets conditions",
		line:  "ObservedGeneration: thing.Generation, LastTransitionTime: metav1.Now(),",
	}}},
	{"tampered ConfigMap", tamperedConfigMap, []mutant{{
		patch: "missingwatch",
		bug:   "the ConfigMap is not watched",
		line:  "Complete(r)",
	}, {
		patch: "blindpredicate",
		bug:   "the ConfigMap is watched for new generations, which it never has",
		line:  "Owns(&corev1.ConfigMap{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).",
	}, {
		patch: "blindpredicate-getter",
		bug:   "the same, by an own predicate that is told by a function what to compare",
		line:  "Owns(&corev1.ConfigMap{}, builder.WithPredicates(changed(func(object client.Object) any { return object.GetGeneration() }))).",
	}}},
	{"pods get ready", podsGetReady, []mutant{{
		patch: "blindpredicate-status",
		bug:   "the Deployment is watched for new generations, and its status decides what the Thing's conditions say",
		line:  "Owns(&appsv1.Deployment{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).",
	}}},
}

// For each rule, the operator with bugs of that rule: the linter says so, and on a real API server the bug really happens.
// The operator without them passes both. Of bugs that show in the same way all run on the API server for "make proof", and
// else the first.
func TestProof(t *testing.T) {
	linter := filepath.Join(t.TempDir(), "operatorvet")
	output(t, "../..", "go", "build", "-o", linter, "./cmd/operatorvet")
	if findings := lint(t, linter, ".."); len(findings) != 0 {
		t.Errorf("the operator is not clean: %v", findings)
	}

	var rows []string
	for _, s := range shows {
		t.Run(s.name, func(t *testing.T) {
			var sound string
			t.Run("sound", func(t *testing.T) {
				var broken bool
				if sound, broken = s.show(t, startOperator(t)); broken {
					t.Errorf("the operator as it is has the bug: %s", sound)
				}
			})
			for i, m := range s.mutants {
				t.Run(m.patch, func(t *testing.T) {
					source := m.apply(t)
					findings := lint(t, linter, source)
					if len(findings) != 1 || findings[0].rule != m.rule() || findings[0].line != m.line {
						t.Fatalf("the linter reports %+v; want one finding of %s at %q", findings, m.rule(), m.line)
					}
					if i > 0 && *proof == "" {
						return
					}
					program := filepath.Join(t.TempDir(), "manager")
					output(t, source, "go", "build", "-o", program, "./cmd")
					seen, broken := s.show(t, startProgram(t, program, operatorRole))
					if !broken {
						t.Errorf("the mutant does not show the bug: %s", seen)
					}
					rows = append(rows, fmt.Sprintf("| `%s` | [%s](../operator/test/mutants/%s.patch) | %s | %s | `%s`: %s |",
						m.rule(), m.bug, m.patch, sound, seen, findings[0].place, findings[0].message))
				})
			}
		})
	}
	if *proof != "" && !t.Failed() {
		if err := os.WriteFile(*proof, []byte(proofHead+strings.Join(rows, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

const proofHead = `<!-- Written by "make proof" in operator/. -->

# Proof

This page shows that the bugs that the rules report really happen. For each rule, a patch puts its bug back into the
[Thing operator](../operator/README.md), and further patches put it back in other words. The linter must report the bug at the right
line, and nothing else. On a real API server
(built from source, see [operator/internal/testcluster](../operator/internal/testcluster/doc.go)) the bug must really happen. The
operator without the patch passes both. ` + "`TestProof`" + ` in operator/test checks all of this, most of it in CI, too: of bugs that
show in the same way, one is run there.

| rule | mutant | the operator as it is | the mutant on the cluster | the linter on the mutant |
|---|---|---|---|---|
`

// apply makes a copy of the operator with the mutant's patch.
func (m mutant) apply(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for _, part := range []string{"api", "cmd", "internal", "preempt"} {
		if err := os.CopyFS(filepath.Join(dir, part), os.DirFS(filepath.Join("..", part))); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{"go.mod", "go.sum"} {
		content, err := os.ReadFile(filepath.Join("..", file))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, file), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	patch, err := filepath.Abs(filepath.Join("mutants", m.patch+".patch"))
	if err != nil {
		t.Fatal(err)
	}
	output(t, dir, "git", "apply", patch)
	return dir
}

// finding is what the linter reports.
type finding struct {
	rule, place, message string
	line                 string // the source there
}

func lint(t *testing.T, linter, dir string) (findings []finding) {
	t.Helper()
	command := exec.CommandContext(t.Context(), linter, "-json", "./...")
	command.Dir = dir
	out, err := command.Output()
	if exit := (*exec.ExitError)(nil); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 3) { // 3: findings
		t.Fatalf("operatorvet: %v\n%s", err, out)
	}
	var report map[string]map[string][]struct{ Posn, Message string }
	if err := json.Unmarshal(out, &report); err != nil {
		t.Fatal(err)
	}
	for _, rules := range report {
		for rule, reported := range rules {
			for _, r := range reported {
				parts := strings.Split(r.Posn, ":")
				number, err := strconv.Atoi(parts[len(parts)-2])
				if err != nil {
					t.Fatalf("position %q: %v", r.Posn, err)
				}
				file := parts[0]
				if !filepath.IsAbs(file) {
					file = filepath.Join(dir, file)
				}
				source, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				findings = append(findings, finding{
					rule: rule, place: fmt.Sprintf("%s:%d", filepath.Base(file), number), message: r.Message,
					line: strings.TrimSpace(strings.Split(string(source), "\n")[number-1]),
				})
			}
		}
	}
	return findings
}

// output runs a program and returns what it prints.
func output(t *testing.T, dir, program string, args ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), program, args...)
	command.Dir = dir
	var stderr strings.Builder
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s%s", program, strings.Join(args, " "), err, out, stderr.String())
	}
	return string(out)
}

// idle counts the writes of an operator whose only Thing is at its spec, and stays there. In most reconciles a map has
// another order than in the one before. So that one with the same order does not end the writes, a label of the Service
// starts the next.
func idle(t *testing.T, _ *operator) (string, bool) {
	thing := newThing(newNamespace(t), "idle")
	thing.Spec.Config = make(map[string]v1alpha1.ConfigValue)
	for _, key := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		thing.Spec.Config[key] = "value"
	}
	create(t, thing)
	converge(t, thing)
	mark := auditMark(t)
	for start := time.Now(); time.Since(start) < watched; time.Sleep(time.Second) {
		label(t, outputsOf(thing)["Service"], fmt.Sprint(time.Now().UnixNano()))
	}
	writes := len(requestsSince(t, mark, testcluster.Write, testcluster.In(thing.Namespace))) // an earlier test's Thing may still be going
	return fmt.Sprintf("%.1f write requests a second while nothing but a label of the Service changes", float64(writes)/watched.Seconds()), writes > 0
}

// lookedAtAgain counts the writes of an operator that is made to look at a Thing at its spec some times.
func lookedAtAgain(t *testing.T, _ *operator) (string, bool) {
	thing := newThing(newNamespace(t), "looked-at")
	create(t, thing)
	converge(t, thing)
	mark := auditMark(t)
	const times = 5
	for range times {
		time.Sleep(1100 * time.Millisecond) // times in objects have whole seconds
		label(t, outputsOf(thing)["Service"], fmt.Sprint(time.Now().UnixNano()))
	}
	time.Sleep(time.Second)
	writes := len(requestsSince(t, mark, testcluster.Write, testcluster.In(thing.Namespace)))
	return fmt.Sprintf("%d write requests after a Service got another label %d times", writes, times), writes > 0
}

// converge waits until the Thing is at its spec and the operator has nothing to do any more, or for as long as that should
// take: a mutant may never get there.
func converge(t *testing.T, thing *v1alpha1.Thing) {
	t.Helper()
	quiet := auditMark(t)
	within(t, func() bool {
		time.Sleep(time.Second)
		before := quiet
		quiet = auditMark(t)
		return converged(t.Context(), thing) == nil && len(requestsSince(t, before, testcluster.Write, testcluster.In(thing.Namespace))) == 0
	})
}

// tamperedConfigMap changes a ConfigMap behind the operator's back.
func tamperedConfigMap(t *testing.T, _ *operator) (string, bool) {
	thing := newThing(newNamespace(t), "tampered")
	create(t, thing)
	waitConverged(t, thing)
	settle(t)
	configMap := outputsOf(thing)["ConfigMap"].(*corev1.ConfigMap)
	change(t, configMap, func(configMap *corev1.ConfigMap) {
		for key := range configMap.Data {
			configMap.Data[key] = "tampered"
		}
	})
	took, restored := within(t, func() bool {
		for _, value := range fetch(t, configMap).Data {
			if value == "tampered" {
				return false
			}
		}
		return true
	})
	if !restored {
		return fmt.Sprintf("a tampered ConfigMap is still tampered after %s", watched), true
	}
	return fmt.Sprintf("a tampered ConfigMap is restored within %s", took), false
}

// podsGetReady makes a Thing whose pods take a moment.
func podsGetReady(t *testing.T, _ *operator) (string, bool) {
	thing := newThing(newNamespace(t), "new")
	cluster.Kubelet.Script(thing.Namespace, func(*corev1.Pod) testcluster.Behaviour {
		return testcluster.Behaviour{ReadyAfter: 3 * time.Second}
	})
	create(t, thing)
	took, ready := within(t, func() bool {
		return meta.IsStatusConditionTrue(fetch(t, thing).Status.Conditions, v1alpha1.ConditionReady)
	})
	if !ready {
		return fmt.Sprintf("a new Thing whose pods are ready does not say so after %s", watched), true
	}
	return fmt.Sprintf("a new Thing is ready within %s", took), false
}

// scaleOutDuringDrain asks for more pods while some drain for ever.
func scaleOutDuringDrain(t *testing.T, _ *operator) (string, bool) {
	thing := withDrain(newThing(newNamespace(t), "stuck"), testcluster.Drain{Never: true})
	thing.Spec.Replicas = new(int32(3))
	create(t, thing)
	waitConverged(t, thing)
	scale(t, thing, 1)
	waitDraining(t, thing, 2)
	scale(t, thing, 4)
	deployment := outputsOf(thing)["Deployment"].(*appsv1.Deployment)
	took, done := within(t, func() bool { return *fetch(t, deployment).Spec.Replicas == 4 })
	if !done {
		return fmt.Sprintf("a scale-out behind a drain that never ends has no effect after %s", watched), true
	}
	return fmt.Sprintf("a scale-out behind a drain that never ends has its effect within %s", took), false
}

// leftoversOfADrain asks for more pods while some drain for ever, and looks at what becomes of these.
func leftoversOfADrain(t *testing.T, _ *operator) (string, bool) {
	thing := withDrain(newThing(newNamespace(t), "zombie"), testcluster.Drain{Never: true})
	thing.Spec.Replicas = new(int32(3))
	create(t, thing)
	waitConverged(t, thing)
	scale(t, thing, 1)
	waitDraining(t, thing, 2)
	scale(t, thing, 4)
	took, released := within(t, func() bool {
		return len(marks(t, thing)) == 0 && len(cluster.Kubelet.Draining(thing.Namespace)) == 0
	})
	if !released {
		return fmt.Sprintf("%d pods that stay are marked, and drain, %s after the scale-out", len(marks(t, thing)), watched), true
	}
	return fmt.Sprintf("%s after a scale-out no pod is marked or drains", took), false
}

// within waits until something holds, for as long as a mutant is watched. What it returns is rounded up: it is polled.
func within(t *testing.T, holds func() bool) (time.Duration, bool) {
	t.Helper()
	start := time.Now()
	for time.Since(start) < watched {
		if holds() {
			return time.Since(start).Truncate(10*time.Millisecond) + 10*time.Millisecond, true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return watched, false
}
