package testcluster_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/operatorvet/operatorvet/operator/internal/testcluster"
)

const patience = time.Minute

var cluster *testcluster.Cluster

// asManager is the argument with which the test's program is a manager.
const asManager = "as-manager"

func TestMain(m *testing.M) {
	if slices.Contains(os.Args, asManager) {
		if err := manage(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	var err error
	if cluster, err = testcluster.Start(context.Background(), testcluster.Options{}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	if err := cluster.Stop(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func TestDeploymentBecomesReadyRollsOutAndScalesIn(t *testing.T) {
	t.Parallel()
	deployment := createDeployment(t, cluster.Namespace(t), 3)
	waitForPods(t, deployment, 3)

	update(t, deployment, func() { deployment.Spec.Template.Spec.Containers[0].Image = "second" })
	waitForPods(t, deployment, 3)
	for _, pod := range podsOf(t, deployment) {
		if image := pod.Spec.Containers[0].Image; image != "second" {
			t.Errorf("pod %s runs image %q after the rollout", pod.Name, image)
		}
	}

	update(t, deployment, func() { deployment.Spec.Replicas = new(int32(1)) })
	waitForPods(t, deployment, 1)
}

func TestOwnedObjectsAreCollected(t *testing.T) {
	t.Parallel()
	namespace := cluster.Namespace(t)
	owner := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "owner"}}
	create(t, owner)
	owned := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "owned"}}
	if err := controllerutil.SetControllerReference(owner, owned, cluster.Client.Scheme()); err != nil {
		t.Fatal(err)
	}
	create(t, owned)
	if err := cluster.Client.Delete(t.Context(), owner); err != nil {
		t.Fatal(err)
	}
	testcluster.Eventually(t, patience, func() error {
		err := cluster.Client.Get(t.Context(), client.ObjectKeyFromObject(owned), owned)
		if !apierrors.IsNotFound(err) {
			return fmt.Errorf("owned Secret: %v", err)
		}
		return nil
	})
}

func TestPodsFollowTheirScript(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		script testcluster.Behaviour
		want   func(corev1.Pod) bool
	}{
		"never ready": {testcluster.Behaviour{NeverReady: true}, func(pod corev1.Pod) bool {
			return pod.Status.Phase == corev1.PodRunning && !isReady(pod)
		}},
		"crash loop": {testcluster.Behaviour{CrashLoop: true}, func(pod corev1.Pod) bool {
			return len(pod.Status.ContainerStatuses) == 1 && pod.Status.ContainerStatuses[0].State.Waiting != nil &&
				pod.Status.ContainerStatuses[0].State.Waiting.Reason == "CrashLoopBackOff"
		}},
		"slow start": {testcluster.Behaviour{ReadyAfter: 500 * time.Millisecond}, func(pod corev1.Pod) bool {
			return isReady(pod) && pod.Status.StartTime != nil
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			namespace := cluster.Namespace(t)
			cluster.Kubelet.Script(namespace, func(*corev1.Pod) testcluster.Behaviour { return row.script })
			deployment := createDeployment(t, namespace, 1)
			testcluster.Eventually(t, patience, func() error {
				pods := podsOf(t, deployment)
				if len(pods) != 1 || !row.want(pods[0]) {
					return fmt.Errorf("pods: %+v", statuses(pods))
				}
				return nil
			})
		})
	}
}

func TestDrainEndPoint(t *testing.T) {
	t.Parallel()
	namespace := cluster.Namespace(t)
	cluster.Kubelet.Script(namespace, func(*corev1.Pod) testcluster.Behaviour {
		return testcluster.Behaviour{Drain: testcluster.Drain{Port: 18080, Takes: 300 * time.Millisecond}}
	})
	deployment := createDeployment(t, namespace, 2)
	waitForPods(t, deployment, 2)
	pod := podsOf(t, deployment)[0]

	if code := ask(t, http.MethodGet, pod); code != http.StatusNotFound {
		t.Errorf("GET before POST: %d", code)
	}
	if code := ask(t, http.MethodPost, pod); code != http.StatusAccepted {
		t.Errorf("POST: %d", code)
	}
	if draining := cluster.Kubelet.Draining(namespace); !slices.Equal(draining, []string{pod.Name}) {
		t.Errorf("draining after POST: %v", draining)
	}
	testcluster.Eventually(t, patience, func() error {
		if code := ask(t, http.MethodGet, pod); code != http.StatusOK {
			return fmt.Errorf("GET: %d", code)
		}
		return nil
	})
	if code := ask(t, http.MethodDelete, pod); code != http.StatusNoContent {
		t.Errorf("DELETE: %d", code)
	}
	if draining := cluster.Kubelet.Draining(namespace); len(draining) != 0 {
		t.Errorf("draining after DELETE: %v", draining)
	}
	requests := cluster.Kubelet.DrainRequests(namespace)
	if first, last := requests[0], requests[len(requests)-1]; first.Method != http.MethodGet || last.Method != http.MethodDelete || last.Pod != pod.Name {
		t.Errorf("drain requests: %v", requests)
	}
}

func TestAuditLogTellsWhoWrites(t *testing.T) {
	t.Parallel()
	namespace := cluster.Namespace(t)
	user, err := cluster.User("writer")
	if err != nil {
		t.Fatal(err)
	}
	writer := clientFor(t, user)
	mark, err := cluster.Audit.Mark()
	if err != nil {
		t.Fatal(err)
	}
	configMap := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "written"}}
	if err := writer.Create(t.Context(), configMap); !apierrors.IsForbidden(err) {
		t.Fatalf("a user without a role creates: %v", err)
	}

	role := filepath.Join(t.TempDir(), "role.yaml")
	if err := os.WriteFile(role, []byte(`---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: writer}
rules:
- {apiGroups: [""], resources: [configmaps], verbs: [get, create, update]}
`), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := cluster.Apply(t.Context(), namespace, role); err != nil {
		t.Fatal(err)
	}
	if err := cluster.Bind(t.Context(), "writer", rbacv1.RoleRef{Kind: "Role", Name: "writer"}, namespace); err != nil {
		t.Fatal(err)
	}
	testcluster.Eventually(t, patience, func() error { // the authorizer has to hear of it
		return writer.Create(t.Context(), configMap)
	})
	if err := writer.Update(t.Context(), configMap); err != nil {
		t.Fatal(err)
	}
	if err := writer.Get(t.Context(), client.ObjectKeyFromObject(configMap), configMap); err != nil {
		t.Fatal(err)
	}

	testcluster.Eventually(t, patience, func() error {
		requests, err := cluster.Audit.Since(mark, testcluster.By("writer"), testcluster.In(namespace))
		if err != nil {
			return err
		}
		counts := testcluster.Count(requests)
		if counts["update configmaps"] != 1 || counts["get configmaps"] != 1 || counts["create configmaps"] < 2 {
			return fmt.Errorf("counts: %v", counts)
		}
		if requests[0].Code != http.StatusForbidden || !requests[0].Denied {
			return fmt.Errorf("first request: %v", requests[0])
		}
		if writes := slices.DeleteFunc(requests, testcluster.Not(testcluster.Write)); testcluster.Count(writes)["get configmaps"] != 0 {
			return fmt.Errorf("writes: %v", writes)
		}
		return nil
	})
}

func TestProxyInjectsFaults(t *testing.T) {
	t.Parallel()
	namespace := cluster.Namespace(t)
	proxy, err := testcluster.StartProxy(cluster.Config)
	if err != nil {
		t.Fatal(err)
	}
	defer proxy.Stop()
	through := clientFor(t, proxy.Config())
	attempt := func(name string) error {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		return through.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}})
	}
	if err := attempt("no-fault"); err != nil {
		t.Fatalf("without faults: %v", err)
	}

	isStatus := func(code int32) func(error) bool {
		return func(err error) bool {
			var status apierrors.APIStatus
			return errors.As(err, &status) && status.Status().Code == code
		}
	}
	isCut := func(err error) bool { return err != nil && strings.Contains(err.Error(), "EOF") }
	for fault, is := range map[testcluster.Fault]func(error) bool{
		testcluster.Conflict:        apierrors.IsConflict,
		testcluster.ServerError:     isStatus(http.StatusInternalServerError),
		testcluster.Timeout:         isStatus(http.StatusGatewayTimeout),
		testcluster.Cut:             isCut,
		testcluster.LostAnswer:      isCut,
		testcluster.TooManyRequests: func(err error) bool { return err != nil }, // the client tries again until its time is up
	} {
		proxy.Inject(testcluster.Faults{OneIn: 1, Kinds: []testcluster.Fault{fault}, Silence: 50 * time.Millisecond})
		name := "fault-" + strings.ReplaceAll(string(fault), " ", "-")
		if err := attempt(name); !is(err) {
			t.Errorf("fault %q: %v", fault, err)
		}
		if proxy.Injected()[fault] == 0 {
			t.Errorf("fault %q was not counted", fault)
		}
		err := cluster.Client.Get(t.Context(), client.ObjectKey{Namespace: namespace, Name: name}, &corev1.ConfigMap{})
		if done := err == nil; done != (fault == testcluster.LostAnswer) {
			t.Errorf("fault %q: the request was done: %t (%v)", fault, done, err)
		}
	}

	proxy.Inject(testcluster.Faults{OneIn: 5, Kinds: []testcluster.Fault{testcluster.ServerError}})
	failed := 0
	for i := range 200 {
		if attempt(fmt.Sprintf("one-in-five-%d", i)) != nil {
			failed++
		}
	}
	if injected := proxy.Injected()[testcluster.ServerError]; failed != injected || failed < 20 || failed > 60 {
		t.Errorf("of 200 requests %d failed, %d by injection; want about 40", failed, injected)
	}
}

func TestManagerIsAProcess(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	start := func(name string) *testcluster.Process {
		process, err := cluster.StartManager(name, cluster.Config, program, asManager)
		if err != nil {
			t.Fatal(err)
		}
		testcluster.Eventually(t, patience, func() error {
			if log := process.Log(); !strings.Contains(log, "default") {
				return fmt.Errorf("log: %s", log)
			}
			return nil
		})
		return process
	}
	killed := start("killed")
	killed.Kill()
	terminated := start("terminated")
	terminated.Signal(syscall.SIGTERM)
	for _, process := range []*testcluster.Process{killed, terminated} {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		state, err := process.Wait(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if state.Success() {
			t.Errorf("a process that was killed ended with %v", state)
		}
	}
}

// manage prints the names of all namespaces, and waits to be killed.
func manage() error {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		return err
	}
	c, err := client.New(config, client.Options{})
	if err != nil {
		return err
	}
	var namespaces corev1.NamespaceList
	if err := c.List(context.Background(), &namespaces); err != nil {
		return err
	}
	for _, namespace := range namespaces.Items {
		fmt.Println(namespace.Name)
	}
	time.Sleep(2 * patience)
	return nil
}

func createDeployment(t *testing.T, namespace string, replicas int32) *appsv1.Deployment {
	t.Helper()
	labels := map[string]string{"app": "test"}
	deployment := &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "test"},
		Spec: appsv1.DeploymentSpec{
			Replicas: &replicas,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "test", Image: "first"}}},
			},
		},
	}
	create(t, deployment)
	return deployment
}

func create(t *testing.T, object client.Object) {
	t.Helper()
	if err := cluster.Client.Create(t.Context(), object); err != nil {
		t.Fatal(err)
	}
}

// update repeats a change until nobody else changes the object meanwhile.
func update(t *testing.T, object client.Object, change func()) {
	t.Helper()
	testcluster.Eventually(t, patience, func() error {
		if err := cluster.Client.Get(t.Context(), client.ObjectKeyFromObject(object), object); err != nil {
			return err
		}
		change()
		return cluster.Client.Update(t.Context(), object)
	})
}

// waitForPods waits until the Deployment has exactly its current spec's pods.
func waitForPods(t *testing.T, deployment *appsv1.Deployment, want int32) {
	t.Helper()
	testcluster.Eventually(t, patience, func() error {
		if err := cluster.Client.Get(t.Context(), client.ObjectKeyFromObject(deployment), deployment); err != nil {
			return err
		}
		s := deployment.Status
		if s.ObservedGeneration < deployment.Generation || s.AvailableReplicas != want || s.UpdatedReplicas != want || s.Replicas != want {
			return fmt.Errorf("deployment status %+v", s)
		}
		if pods := podsOf(t, deployment); len(pods) != int(want) {
			return fmt.Errorf("%d pods", len(pods))
		}
		return nil
	})
}

func podsOf(t *testing.T, deployment *appsv1.Deployment) []corev1.Pod {
	t.Helper()
	var pods corev1.PodList
	if err := cluster.Client.List(t.Context(), &pods, client.InNamespace(deployment.Namespace)); err != nil {
		t.Fatal(err)
	}
	return pods.Items
}

func statuses(pods []corev1.Pod) []corev1.PodStatus {
	var statuses []corev1.PodStatus
	for _, pod := range pods {
		statuses = append(statuses, pod.Status)
	}
	return statuses
}

func isReady(pod corev1.Pod) bool {
	return slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
	})
}

// ask sends a request to the pod's drain end point.
func ask(t *testing.T, method string, pod corev1.Pod) (code int) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, "http://"+pod.Status.PodIP+":18080/drain", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	return response.StatusCode
}

func clientFor(t *testing.T, config *rest.Config) client.Client {
	t.Helper()
	c, err := client.New(config, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}
