package test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/operator/api/v1alpha1"
	"github.com/operatorvet/operatorvet/operator/internal/testcluster"
)

const (
	// patience is how long anything may take that has to happen.
	patience = 2 * time.Minute
	// operatorNamespace and operatorUser are what the manifests in config/rbac
	// call the operator's own.
	operatorNamespace = "system"
	operatorUser      = "system:serviceaccount:system:controller-manager"
	// drainPort is where pods are asked to drain.
	drainPort = 18081
)

// elected are the flags of an operator that elects a leader.
var elected = []string{"--leader-elect", "--leader-election-namespace=" + operatorNamespace}

var (
	cluster      *testcluster.Cluster
	operatorPath string       // the operator's program
	operatorRole *rest.Config // the operator's user
)

func TestMain(m *testing.M) {
	code, err := run(context.Background(), m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(ctx context.Context, m *testing.M) (code int, err error) {
	dir, err := os.MkdirTemp("", "thing")
	if err != nil {
		return 1, err
	}
	defer os.RemoveAll(dir)
	operatorPath = filepath.Join(dir, "manager")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", operatorPath, "../cmd").CombinedOutput(); err != nil {
		return 1, fmt.Errorf("building the operator: %w\n%s", err, out)
	}
	types := runtime.NewScheme()
	if err := errors.Join(scheme.AddToScheme(types), v1alpha1.AddToScheme(types)); err != nil {
		return 1, err
	}
	cluster, err = testcluster.Start(ctx, testcluster.Options{CRDs: []string{"../config/crd/bases"}, Scheme: types})
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, cluster.Stop()) }()
	if err := grantRole(ctx); err != nil {
		return 1, err
	}
	return m.Run(), nil
}

// grantRole gives the operator's user what the shipped manifests give it.
func grantRole(ctx context.Context) (err error) {
	if operatorRole, err = cluster.User(operatorUser); err != nil {
		return err
	}
	if err := cluster.Client.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: operatorNamespace}}); err != nil {
		return err
	}
	manifests, err := filepath.Glob("../config/rbac/*.yaml")
	if err != nil {
		return err
	}
	manifests = slices.DeleteFunc(manifests, func(path string) bool { return filepath.Base(path) == "kustomization.yaml" })
	return cluster.Apply(ctx, operatorNamespace, manifests...)
}

// operator is a running operator.
type operator struct {
	*testcluster.Process
	metrics string // the address of its metrics
}

// startOperator runs the operator until the test ends, alone: tests that start
// it are not parallel. A request that the authorizer denies fails the test,
// whatever the test is about: the role lacks something.
func startOperator(t *testing.T, args ...string) *operator {
	t.Helper()
	return startOperatorAs(t, operatorRole, args...)
}

func startOperatorAs(t *testing.T, user *rest.Config, args ...string) *operator {
	t.Helper()
	return startProgram(t, operatorPath, user, args...)
}

func startProgram(t *testing.T, program string, user *rest.Config, args ...string) *operator {
	t.Helper()
	mark := auditMark(t)
	metrics, probes := freeAddress(t), freeAddress(t)
	process, err := cluster.StartManager("operator", user, program, append([]string{
		"--metrics-bind-address=" + metrics, "--metrics-secure=false", "--health-probe-bind-address=" + probes,
	}, args...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		process.Kill()
		freeLease(t) // else the next one waits until it is over
		if t.Failed() {
			t.Logf("the operator's log ends with\n%s", process.Log())
		}
		for _, request := range requestsSince(t, mark) {
			if request.Denied {
				t.Errorf("the operator's role lacks a right: %v", request)
			}
		}
	})
	testcluster.Eventually(t, patience, func() error { return get("http://" + probes + "/readyz") })
	testcluster.Eventually(t, patience, func() error { return listens(metrics) }) // which is not part of being ready
	return &operator{Process: process, metrics: metrics}
}

// freeLease takes the lead from an operator that has not given it back.
func freeLease(t *testing.T) {
	t.Helper()
	if err := cluster.Client.DeleteAllOf(context.Background(), &coordinationv1.Lease{}, client.InNamespace(operatorNamespace)); err != nil {
		t.Errorf("deleting the leader's lease: %v", err)
	}
}

// freeAddress returns where a program can listen. Between two calls, and until
// the program starts, a port of 127.0.0.1 may be given to somebody else.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", net.JoinHostPort(testcluster.Loopback(), "0"))
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

func listens(address string) error {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return err
	}
	return conn.Close()
}

func get(url string) error {
	response, err := http.Get(url)
	if err != nil {
		return err
	}
	response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", url, response.Status)
	}
	return nil
}

// terminate asks the operator to end and returns how long that took.
func (o *operator) terminate(t *testing.T) time.Duration {
	t.Helper()
	start := time.Now()
	o.Signal(syscall.SIGTERM)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if _, err := o.Wait(ctx); err != nil {
		t.Fatal(err)
	}
	return time.Since(start)
}

// reconciles is how many reconciles the operator has ended.
func (o *operator) reconciles(t *testing.T) int {
	t.Helper()
	return o.counts(t, "controller_runtime_reconcile_total")[""]
}

// counts reads a counter or gauge of the operator and adds it up by the values of
// these labels, joined by spaces. What is zero is left out.
func (o *operator) counts(t *testing.T, name string, labels ...string) map[string]int {
	t.Helper()
	counts := map[string]int{}
	for _, metric := range o.scrape(t)[name].GetMetric() {
		values := make([]string, len(labels))
		for _, label := range metric.GetLabel() {
			if i := slices.Index(labels, label.GetName()); i >= 0 {
				values[i] = label.GetValue()
			}
		}
		if value := metric.GetCounter().GetValue() + metric.GetGauge().GetValue(); value != 0 { // it is one of the two
			counts[strings.Join(values, " ")] += int(value)
		}
	}
	return counts
}

// scrape reads the operator's metrics.
func (o *operator) scrape(t *testing.T) map[string]*dto.MetricFamily {
	t.Helper()
	response, err := http.Get("http://" + o.metrics + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return families
}

// waitLeading waits until the operator is the leader.
func (o *operator) waitLeading(t *testing.T) {
	t.Helper()
	testcluster.Eventually(t, patience, func() error {
		if o.counts(t, "leader_election_master_status")[""] != 1 {
			return errors.New("the operator does not lead")
		}
		return nil
	})
}

func auditMark(t *testing.T) testcluster.Mark {
	t.Helper()
	mark, err := cluster.Audit.Mark()
	if err != nil {
		t.Fatal(err)
	}
	return mark
}

// requestsSince returns the operator's requests.
func requestsSince(t *testing.T, mark testcluster.Mark, conditions ...func(testcluster.Request) bool) []testcluster.Request {
	t.Helper()
	requests, err := cluster.Audit.Since(mark, append(conditions, testcluster.By(operatorUser))...)
	if err != nil {
		t.Fatal(err)
	}
	return requests
}

// writesSince returns the operator's writes, except that it keeps its leader lease.
func writesSince(t *testing.T, mark testcluster.Mark) []testcluster.Request {
	t.Helper()
	return requestsSince(t, mark, testcluster.Write, testcluster.Not(testcluster.On("leases")))
}

// settle waits until the operator has written nothing for a while.
func settle(t *testing.T) {
	t.Helper()
	testcluster.Eventually(t, patience, func() error {
		mark := auditMark(t)
		time.Sleep(2 * time.Second)
		if writes := writesSince(t, mark); len(writes) != 0 {
			return fmt.Errorf("the operator still writes: %v", testcluster.Count(writes))
		}
		return nil
	})
}

// newNamespace makes a namespace for the test. Its Things go before the test ends,
// so that they do not occupy the next test's operator while the namespace goes.
func newNamespace(t *testing.T) string {
	t.Helper()
	namespace := cluster.Namespace(t)
	t.Cleanup(func() {
		ctx := context.Background()
		if err := cluster.Client.DeleteAllOf(ctx, &v1alpha1.Thing{}, client.InNamespace(namespace)); err != nil {
			t.Errorf("deleting the Things: %v", err)
		}
		var kept v1alpha1.ThingList // by a finalizer that no operator may be there to take off
		if err := cluster.Client.List(ctx, &kept, client.InNamespace(namespace)); err != nil {
			t.Errorf("listing the Things: %v", err)
		}
		for i := range kept.Items {
			patch := client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`))
			if err := cluster.Client.Patch(ctx, &kept.Items[i], patch); client.IgnoreNotFound(err) != nil {
				t.Errorf("taking a finalizer off: %v", err)
			}
		}
	})
	return namespace
}

func newThing(namespace, name string) *v1alpha1.Thing {
	return &v1alpha1.Thing{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
		Spec: v1alpha1.ThingSpec{
			Image:    "registry.example.com/thing:1",
			Replicas: new(int32(1)),
			Port:     8080,
			Config:   map[string]v1alpha1.ConfigValue{"colour": "green", "size": "large"},
		},
	}
}

// withDrain lets the pods of the namespace drain as scripted and the Thing ask them to.
func withDrain(thing *v1alpha1.Thing, script testcluster.Drain) *v1alpha1.Thing {
	script.Port = drainPort
	cluster.Kubelet.Script(thing.Namespace, func(*corev1.Pod) testcluster.Behaviour {
		return testcluster.Behaviour{Drain: script}
	})
	thing.Spec.Drain = &v1alpha1.DrainSpec{Path: "/drain", Port: drainPort, Timeout: &metav1.Duration{Duration: time.Hour}}
	return thing
}

func create(t *testing.T, object client.Object) {
	t.Helper()
	if err := cluster.Client.Create(t.Context(), object); err != nil {
		t.Fatal(err)
	}
}

// fetch reads the object anew.
func fetch[T client.Object](t *testing.T, object T) T {
	t.Helper()
	if err := cluster.Client.Get(t.Context(), client.ObjectKeyFromObject(object), object); err != nil {
		t.Fatal(err)
	}
	return object
}

// change changes an object as somebody would who knows nothing of other writers.
func change[T client.Object](t *testing.T, object T, change func(T)) {
	t.Helper()
	before := fetch(t, object).DeepCopyObject().(T)
	change(object)
	if err := cluster.Client.Patch(t.Context(), object, client.MergeFrom(before)); err != nil {
		t.Fatal(err)
	}
}

// converged says why the Thing is not at its spec, or nil. It asks the Deployment
// too: after an event that the operator has yet to see, the Thing's status still
// speaks of the time before.
func converged(ctx context.Context, thing *v1alpha1.Thing) error {
	if err := cluster.Client.Get(ctx, client.ObjectKeyFromObject(thing), thing); err != nil {
		return err
	}
	ready := meta.FindStatusCondition(thing.Status.Conditions, v1alpha1.ConditionReady)
	switch {
	case thing.Status.ObservedGeneration != thing.Generation:
		return fmt.Errorf("%s: generation %d is observed, %d is wanted", thing.Name, thing.Status.ObservedGeneration, thing.Generation)
	case ready == nil || ready.Status != metav1.ConditionTrue || ready.ObservedGeneration != thing.Generation:
		return fmt.Errorf("%s: not ready: %+v", thing.Name, ready)
	case thing.Spec.Replicas != nil && (thing.Status.ReadyReplicas != *thing.Spec.Replicas || thing.Status.Replicas != *thing.Spec.Replicas):
		return fmt.Errorf("%s: %d pods, %d ready, %d wanted", thing.Name, thing.Status.Replicas, thing.Status.ReadyReplicas, *thing.Spec.Replicas)
	case thing.Status.Draining != nil:
		return fmt.Errorf("%s: still draining %v", thing.Name, thing.Status.Draining.Pods)
	}
	deployment := outputsOf(thing)["Deployment"].(*appsv1.Deployment)
	if err := cluster.Client.Get(ctx, client.ObjectKeyFromObject(deployment), deployment); err != nil {
		return err
	}
	want, status := *deployment.Spec.Replicas, deployment.Status
	if status.ObservedGeneration != deployment.Generation || status.Replicas != want || status.UpdatedReplicas != want || status.AvailableReplicas != want {
		return fmt.Errorf("%s: Deployment of %d pods: %+v", thing.Name, want, status)
	}
	return nil
}

func waitConverged(t *testing.T, things ...*v1alpha1.Thing) {
	t.Helper()
	for _, thing := range things {
		testcluster.Eventually(t, patience, func() error { return converged(t.Context(), thing) })
	}
}

// createThings creates Things of one pod each and waits until they are ready.
func createThings(t *testing.T, namespace string, count int) []*v1alpha1.Thing {
	t.Helper()
	things := make([]*v1alpha1.Thing, count)
	for i := range things {
		things[i] = newThing(namespace, fmt.Sprintf("thing-%d", i))
		create(t, things[i])
	}
	waitConverged(t, things...)
	return things
}

// outputsOf are the objects that a Thing is reconciled into, with nothing but their names.
func outputsOf(thing *v1alpha1.Thing) map[string]client.Object {
	name := metav1.ObjectMeta{Namespace: thing.Namespace, Name: thing.Name}
	return map[string]client.Object{
		"ConfigMap":  &corev1.ConfigMap{ObjectMeta: name},
		"Deployment": &appsv1.Deployment{ObjectMeta: name},
		"Service":    &corev1.Service{ObjectMeta: name},
	}
}

func podsOf(t *testing.T, thing *v1alpha1.Thing) []corev1.Pod {
	t.Helper()
	var pods corev1.PodList
	if err := cluster.Client.List(t.Context(), &pods, client.InNamespace(thing.Namespace), client.MatchingLabels{"app.kubernetes.io/instance": thing.Name}); err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(pods.Items, func(pod corev1.Pod) bool { return pod.DeletionTimestamp != nil })
}

// waitUnmarked waits until no pod that stays is marked or drains.
func waitUnmarked(t *testing.T, thing *v1alpha1.Thing) {
	t.Helper()
	testcluster.Eventually(t, patience, func() error {
		var names []string
		for _, pod := range podsOf(t, thing) {
			names = append(names, pod.Name)
			for key := range pod.Annotations {
				if key == corev1.PodDeletionCost || strings.HasPrefix(key, v1alpha1.GroupVersion.Group+"/drain") {
					return fmt.Errorf("pod %s stays and has the annotation %s", pod.Name, key)
				}
			}
		}
		for _, name := range cluster.Kubelet.Draining(thing.Namespace) {
			if slices.Contains(names, name) {
				return fmt.Errorf("pod %s stays and drains", name)
			}
		}
		return nil
	})
}

// waitDraining waits until that many of the Thing's pods are asked to drain.
func waitDraining(t *testing.T, thing *v1alpha1.Thing, count int) {
	t.Helper()
	testcluster.Eventually(t, patience, func() error {
		if draining := cluster.Kubelet.Draining(thing.Namespace); len(draining) != count {
			return fmt.Errorf("%d pods drain, want %d: %v", len(draining), count, draining)
		}
		return nil
	})
}
