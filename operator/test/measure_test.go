package test

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/discovery"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/operator/api/v1alpha1"
	"github.com/operatorvet/operatorvet/operator/internal/testcluster"
)

var measure = flag.String("measure", "", "let TestMeasure measure, and write what it finds to this file")

// TestMeasure measures how fast the operator keeps its promises, from the API
// server's audit log, and fails if one is broken outright.
func TestMeasure(t *testing.T) {
	if *measure == "" {
		t.Skip("make measure runs it")
	}
	var found report
	for _, part := range []struct {
		name string
		run  func(*testing.T, *report)
	}{
		{"idle", measureIdle}, {"drift", measureDrift}, {"drift in drains", measureDriftInDrains}, {"pre-emption", measurePreemption},
		{"interruptions", measureInterruptions}, {"SIGTERM", measureShutdown}, {"scale", measureScale},
	} {
		t.Run(part.name, func(t *testing.T) { part.run(t, &found) })
	}
	text := found.text(t)
	t.Logf("\n%s", text)
	if !t.Failed() {
		if err := os.WriteFile(*measure, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func measureIdle(t *testing.T, report *report) {
	operator := startOperator(t)
	things := createThings(t, newNamespace(t), 100)
	settle(t)
	mark := auditMark(t)
	forced := forceReconciles(t, operator, things, 4)
	writes := writesSince(t, mark)
	if len(writes) != 0 {
		t.Errorf("writes while idle: %v", testcluster.Count(writes))
	}
	report.count("1", fmt.Sprintf("write requests in %d forced reconciles of 100 Things at their spec (labels touched on outputs, operator restarted, resync)", forced), fmt.Sprint(len(writes)))
}

// drifts are what somebody does to the outputs behind the operator's back; nil deletes.
var drifts = []struct {
	name, kind string
	tamper     func(client.Object)
}{
	{"ConfigMap deleted", "ConfigMap", nil},
	{"Service deleted", "Service", nil},
	{"Deployment deleted", "Deployment", nil},
	{"ConfigMap: data changed", "ConfigMap", func(output client.Object) {
		for key := range output.(*corev1.ConfigMap).Data {
			output.(*corev1.ConfigMap).Data[key] = "tampered"
		}
	}},
	{"Service: port changed", "Service", func(output client.Object) { output.(*corev1.Service).Spec.Ports[0].Port = 4711 }},
	{"Deployment: replicas changed", "Deployment", func(output client.Object) {
		output.(*appsv1.Deployment).Spec.Replicas = new(int32(3))
	}},
	{"Deployment: image changed", "Deployment", func(output client.Object) {
		output.(*appsv1.Deployment).Spec.Template.Spec.Containers[0].Image = "tampered"
	}},
	{"Service: labels removed", "Service", func(output client.Object) { output.SetLabels(nil) }},
	{"ConfigMap: owner reference removed", "ConfigMap", func(output client.Object) { output.SetOwnerReferences(nil) }},
}

func measureDrift(t *testing.T, report *report) {
	startOperator(t)
	namespace := newNamespace(t)
	things := createThings(t, namespace, 100)
	settle(t)
	for _, drift := range drifts {
		mark := auditMark(t)
		for _, thing := range things {
			output := outputsOf(thing)[drift.kind]
			want := essence(fetch(t, output))
			if drift.tamper != nil {
				change(t, output, drift.tamper)
			} else if err := cluster.Client.Delete(t.Context(), output); err != nil {
				t.Fatal(err)
			}
			waitEssence(t, output, want)
		}
		settle(t)
		report.latencies("2", drift.name+": until restored", repairs(t, mark, namespace))
	}
}

// measureDriftInDrains lets as many Things drain as there are workers.
func measureDriftInDrains(t *testing.T, report *report) {
	startOperator(t)
	namespace := newNamespace(t)
	draining := make([]*v1alpha1.Thing, 64)
	for i := range draining {
		draining[i] = drainForEver(t, newThing(namespace, fmt.Sprintf("draining-%d", i)), 2, 1)
	}
	for _, row := range []struct {
		what   string
		things []*v1alpha1.Thing
	}{
		{"Service of a Thing whose pods drain deleted, with 63 others: until restored", draining},
		{"Service of a Thing at rest beside 64 that drain deleted: until restored", createThings(t, newNamespace(t), 64)},
	} {
		mark := auditMark(t)
		for _, thing := range row.things {
			service := fetch(t, outputsOf(thing)["Service"])
			want := essence(service)
			if err := cluster.Client.Delete(t.Context(), service); err != nil {
				t.Fatal(err)
			}
			waitEssence(t, service, want)
		}
		report.latencies("2", row.what, repairs(t, mark, row.things[0].Namespace))
	}
}

// repairs returns how long it took from each change of an object by the
// administrator until the operator's repair was done.
func repairs(t *testing.T, mark testcluster.Mark, namespace string) []time.Duration {
	t.Helper()
	began, took := map[string]time.Time{}, map[string]time.Duration{}
	for _, request := range writesInOrder(t, mark, testcluster.In(namespace)) {
		object := request.Resource + "/" + request.Name
		switch start, known := began[object]; {
		case request.Code >= 300:
		case request.User == "admin":
			began[object] = request.Received
		case request.User == operatorUser && known:
			took[object] = request.Answered.Sub(start)
		}
	}
	if len(took) != len(began) {
		t.Errorf("of %d objects %d were repaired", len(began), len(took))
	}
	return slices.Collect(maps.Values(took))
}

// writesInOrder returns everybody's writes in the order in which they came, which
// is not the order of the log: the answer to a write may be logged after a write
// that it has caused.
func writesInOrder(t *testing.T, mark testcluster.Mark, condition func(testcluster.Request) bool) []testcluster.Request {
	t.Helper()
	requests, err := cluster.Audit.Since(mark, testcluster.Write, condition)
	if err != nil {
		t.Fatal(err)
	}
	slices.SortStableFunc(requests, func(a, b testcluster.Request) int { return a.Received.Compare(b.Received) })
	return requests
}

func measurePreemption(t *testing.T, report *report) {
	startOperator(t)
	namespace := newNamespace(t)
	var latencies []time.Duration
	for try := range 200 {
		thing := withDrain(newThing(namespace, fmt.Sprintf("hanging-%d", try)), testcluster.Drain{Never: true})
		thing.Spec.Replicas = new(int32(3))
		create(t, thing)
		waitConverged(t, thing)
		scale(t, thing, 1)
		waitDraining(t, thing, 2)
		mark := auditMark(t)
		scale(t, thing, 4)
		waitConverged(t, thing)
		waitUnmarked(t, thing)
		latencies = append(latencies, firstWrite(t, mark, thing))
		if err := cluster.Client.Delete(t.Context(), thing); err != nil {
			t.Fatal(err)
		}
		waitGone(t, thing)
	}
	report.latencies("3", "a scale-out while a drain hangs: from the spec's write to the Deployment's", latencies)
}

// firstWrite returns how long it took from the administrator's change of the Thing
// to the operator's first write of its Deployment.
func firstWrite(t *testing.T, mark testcluster.Mark, thing *v1alpha1.Thing) time.Duration {
	t.Helper()
	requests := writesInOrder(t, mark, func(r testcluster.Request) bool {
		return r.Namespace == thing.Namespace && r.Name == thing.Name
	})
	spec := slices.IndexFunc(requests, func(r testcluster.Request) bool { return r.User == "admin" && r.Resource == "things" })
	plan := slices.IndexFunc(requests, func(r testcluster.Request) bool { return r.User == operatorUser && r.Resource == "deployments" })
	if spec < 0 || plan < spec {
		t.Fatalf("no write of the spec and then of the Deployment in %v", requests)
	}
	return requests[plan].Received.Sub(requests[spec].Received)
}

func measureInterruptions(t *testing.T, report *report) {
	const times = 100
	interrupt(t, times)
	report.count("4", fmt.Sprintf("pods left marked or draining after %d interruptions of a scale-in at random points, %d of them a SIGKILL", times, times/2), "0")
}

func measureShutdown(t *testing.T, report *report) {
	namespace := newNamespace(t)
	var latencies []time.Duration
	for try := range 30 {
		thing := withDrain(newThing(namespace, fmt.Sprintf("waiting-%d", try)), testcluster.Drain{Never: true})
		latencies = append(latencies, terminateInDrain(t, thing))
		change(t, thing, func(thing *v1alpha1.Thing) { thing.Finalizers = nil }) // there is no operator
		if err := cluster.Client.Delete(t.Context(), thing); err != nil {
			t.Fatal(err)
		}
		waitGone(t, thing)
	}
	report.latencies("5", "from SIGTERM while pods drain until the process is gone and its lease released", latencies)
}

func measureScale(t *testing.T, report *report) {
	const count, idle = 1000, time.Minute
	operator := startOperator(t)
	namespace := newNamespace(t)
	mark, start := auditMark(t), time.Now()
	numbers := make(chan int)
	var creators sync.WaitGroup
	for range 16 {
		creators.Go(func() {
			for number := range numbers {
				if err := cluster.Client.Create(t.Context(), newThing(namespace, fmt.Sprintf("thing-%d", number))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for number := range count {
		numbers <- number
	}
	close(numbers)
	creators.Wait()
	created := time.Since(start)
	for ready := 0; ready < count; time.Sleep(200 * time.Millisecond) {
		var things v1alpha1.ThingList
		if err := cluster.Client.List(t.Context(), &things, client.InNamespace(namespace)); err != nil {
			t.Fatal(err)
		}
		ready = 0
		for _, thing := range things.Items {
			if meta.IsStatusConditionTrue(thing.Status.Conditions, v1alpha1.ConditionReady) {
				ready++
			}
		}
		if time.Since(start) > 10*patience {
			t.Fatalf("%d of %d Things are ready", ready, count)
		}
	}
	converged := time.Since(start)
	settle(t)
	requests := requestsSince(t, mark)
	cpu, memory := operator.usage(t)
	report.count("7", fmt.Sprintf("%d Things of one pod each: created in / all ready after", count),
		fmt.Sprintf("%s / %s", created.Round(100*time.Millisecond), converged.Round(100*time.Millisecond)))
	report.count("7", "their requests to the API server, by the operator", fmt.Sprintf("%d (%s)", len(requests), counts(requests)))
	report.count("7", "the operator's CPU time and memory then", fmt.Sprintf("%s, %d MB", cpu, memory>>20))

	mark = auditMark(t)
	time.Sleep(idle)
	later, memory := operator.usage(t)
	report.count("7", "in a minute of idling then: requests, CPU time, memory",
		fmt.Sprintf("%d, %s, %d MB", len(requestsSince(t, mark)), later-cpu, memory>>20))
}

// counts lists requests by verb and resource, the frequent first.
func counts(requests []testcluster.Request) string {
	counts := testcluster.Count(requests)
	kinds := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	for i, kind := range kinds {
		kinds[i] = fmt.Sprintf("%d %s", counts[kind], kind)
	}
	return strings.Join(kinds, ", ")
}

// usage returns the CPU time that the operator has used and the memory that it
// has, as Linux counts them.
func (o *operator) usage(t *testing.T) (cpu time.Duration, memory int64) {
	t.Helper()
	const ticksPerSecond = 100 // on every architecture that Go knows
	content, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", o.PID()))
	if err != nil {
		t.Fatal(err)
	}
	// The second field is the program's name in parentheses.
	fields := strings.Fields(string(content[strings.LastIndexByte(string(content), ')')+1:]))
	number := func(field int) int64 {
		n, err := strconv.ParseInt(fields[field-3], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	return time.Duration(number(14)+number(15)) * time.Second / ticksPerSecond, number(24) * int64(os.Getpagesize())
}

// report is what was measured.
type report struct {
	timed, counted []row
}

type row struct{ promise, cells string }

func (r *report) latencies(promise, what string, durations []time.Duration) {
	slices.Sort(durations)
	at := func(share float64) time.Duration {
		return durations[int(share*float64(len(durations)-1)+0.5)].Round(100 * time.Microsecond)
	}
	r.timed = append(r.timed, row{promise, fmt.Sprintf("%s | %d | %s | %s | %s", what, len(durations), at(0.5), at(0.99), at(1))})
}

func (r *report) count(promise, what, result string) {
	r.counted = append(r.counted, row{promise, what + " | " + result})
}

func (r *report) text(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "<!-- Written by \"make measure\" in operator/. -->\n\n# The Thing operator, measured\n\n%s\n\n", conditions(t))
	b.WriteString("Times come from the API server's audit log, except where the end of a process is measured. The promises are numbered as in the [README](../operator/README.md).\n\n")
	b.WriteString("| promise | what | tries | median | p99 | max |\n|---|---|---|---|---|---|\n")
	writeRows(&b, r.timed)
	b.WriteString("\n| promise | what | result |\n|---|---|---|\n")
	writeRows(&b, r.counted)
	return b.String()
}

func writeRows(b *strings.Builder, rows []row) {
	for _, row := range rows {
		fmt.Fprintf(b, "| %s | %s |\n", row.promise, row.cells)
	}
}

// conditions says on what was measured, and when.
func conditions(t *testing.T) string {
	t.Helper()
	server, err := discovery.NewDiscoveryClientForConfigOrDie(cluster.Config).ServerVersion()
	if err != nil {
		t.Fatal(err)
	}
	libraries, err := exec.CommandContext(t.Context(), "go", "list", "-m", "sigs.k8s.io/controller-runtime", "k8s.io/client-go").Output()
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%s, on %d CPUs (%s, %s/%s) shared with API server, etcd, controller manager, scheduler and the tests. Kubernetes %s, %s, %s.",
		time.Now().UTC().Format(time.DateOnly), runtime.NumCPU(), processor(), runtime.GOOS, runtime.GOARCH,
		server.GitVersion, strings.Join(strings.Split(strings.TrimSpace(string(libraries)), "\n"), ", "), runtime.Version())
}

// processor is the name of the machine's, where Linux tells it.
func processor() string {
	content, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "unknown"
	}
	for line := range strings.Lines(string(content)) {
		if name, ok := strings.CutPrefix(line, "model name"); ok {
			return strings.TrimLeft(strings.TrimSpace(name), ": \t")
		}
	}
	return "unknown"
}
