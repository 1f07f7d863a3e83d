package test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/operator/api/v1alpha1"
	"github.com/operatorvet/operatorvet/operator/internal/testcluster"
)

// installed is what the manifests call the operator's namespace.
const installed = "thing-operator-system"

// What make deploy applies runs the operator: its pod is admitted, its service
// account may do what the operator does, its flags are understood, its probes
// succeed, and Prometheus reaches its metrics.
func TestManifestsRunTheOperator(t *testing.T) {
	operator := install(t, "../config/default")
	namespace := newNamespace(t)
	if err := cluster.Apply(t.Context(), namespace, "../config/samples/thing_v1alpha1_thing.yaml"); err != nil {
		t.Fatal(err)
	}
	waitConverged(t, newThing(namespace, "web"))

	for name, probe := range map[string]*corev1.Probe{"liveness": operator.container.LivenessProbe, "readiness": operator.container.ReadinessProbe} {
		if port := portOf(t, operator.container, probe.HTTPGet.Port.StrVal); !slices.Contains(operator.container.Args, fmt.Sprintf("--health-probe-bind-address=:%d", port)) {
			t.Errorf("the %s probe asks port %d, the manager has %v", name, port, operator.container.Args)
		}
		testcluster.Eventually(t, patience, func() error { return get("http://" + operator.probes + probe.HTTPGet.Path) })
	}
	if limit := operator.container.Resources.Limits.Memory().Value(); limit > 0 {
		if _, used := operator.usage(t); used > limit {
			t.Errorf("the operator needs %d MB, its limit is %d MB", used>>20, limit>>20)
		}
	}

	var endpoints discoveryv1.EndpointSliceList
	testcluster.Eventually(t, patience, func() error {
		return endpointsOf(t.Context(), &endpoints, "thing-operator-controller-manager-metrics-service", operator.pod)
	})
	if port := *endpoints.Items[0].Ports[0].Port; !strings.Contains(strings.Join(operator.container.Args, " "), fmt.Sprintf("--metrics-bind-address=:%d", port)) {
		t.Errorf("the metrics service leads to port %d, the manager has %v", port, operator.container.Args)
	}
	scraper, outsider := serviceAccountToken(t, namespace, "scraper"), serviceAccountToken(t, namespace, "outsider")
	create(t, &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: namespace},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "thing-operator-metrics-reader"},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: namespace, Name: "scraper"}},
	})
	for token, want := range map[string]int{scraper: http.StatusOK, outsider: http.StatusForbidden} {
		testcluster.Eventually(t, patience, func() error {
			code, err := scrape(t.Context(), operator.metrics, token)
			if err == nil && code != want {
				err = fmt.Errorf("scraping: %d, want %d", code, want)
			}
			return err
		})
	}
}

// The operator for chosen namespaces asks for nothing beyond them, and has no right
// to.
func TestManifestsForChosenNamespaces(t *testing.T) {
	const chosen = "things"
	create(t, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: chosen}})
	t.Cleanup(func() {
		if err := cluster.Client.Delete(context.Background(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: chosen}}); err != nil {
			t.Error(err)
		}
	})
	operator := install(t, "../config/namespaced")
	inside, outside := newThing(chosen, "inside"), newThing(newNamespace(t), "outside")
	create(t, outside)
	create(t, inside)
	waitConverged(t, inside)
	if err := cluster.Client.Delete(t.Context(), outputsOf(inside)["Service"]); err != nil {
		t.Fatal(err)
	}
	testcluster.Eventually(t, patience, func() error {
		return cluster.Client.Get(t.Context(), client.ObjectKeyFromObject(inside), &corev1.Service{})
	})
	if fetch(t, outside).Status.ObservedGeneration != 0 {
		t.Errorf("a Thing of another namespace was reconciled: %+v", outside.Status)
	}
	if err := cluster.Client.Delete(t.Context(), inside); err != nil {
		t.Fatal(err)
	}
	waitGone(t, inside)

	operator.terminate(t) // ends the watches, which are logged then
	about := map[string]bool{}
	for _, request := range operator.requests(t) {
		switch request.Resource {
		case "things", "configmaps", "services", "deployments", "pods":
			about[request.Namespace] = true
			if request.Namespace != chosen {
				t.Errorf("a request is about another namespace: %v", request)
			}
		}
	}
	if !about[chosen] {
		t.Errorf("no request about namespace %s is in the audit log", chosen)
	}
	for _, namespace := range []string{"", outside.Namespace} {
		for _, right := range [][3]string{{"list", v1alpha1.GroupVersion.Group, "things"}, {"patch", "", "pods"}, {"create", "apps", "deployments"}} {
			if allowed(t, operator.account, namespace, right[0], right[1], right[2]) {
				t.Errorf("%s may %s %s in %q", operator.account, right[0], right[2], namespace)
			}
		}
	}
}

// Several namespaces are watched, and no others.
func TestSeveralNamespaces(t *testing.T) {
	first, second := newThing(newNamespace(t), "first"), newThing(newNamespace(t), "second")
	outside := newThing(newNamespace(t), "outside")
	startOperator(t, "--watch-namespaces="+first.Namespace+","+second.Namespace)
	for _, thing := range []*v1alpha1.Thing{outside, first, second} {
		create(t, thing)
	}
	waitConverged(t, first, second)
	for _, thing := range []*v1alpha1.Thing{first, second} {
		service := fetch(t, outputsOf(thing)["Service"])
		want := essence(service)
		change(t, service, func(service client.Object) { service.SetLabels(nil) })
		waitEssence(t, service, want)
	}
	if fetch(t, outside).Status.ObservedGeneration != 0 {
		t.Errorf("a Thing of another namespace was reconciled: %+v", outside.Status)
	}
	for _, thing := range []*v1alpha1.Thing{first, second} { // while their operator still runs
		if err := cluster.Client.Delete(t.Context(), thing); err != nil {
			t.Fatal(err)
		}
		waitGone(t, thing)
	}
}

// installation is an operator that runs as its manifests say.
type installation struct {
	*operator
	pod       *corev1.Pod
	container *corev1.Container
	account   string // its service account's user
	mark      testcluster.Mark
	probes    string // where they are answered
}

// requests are those of the operator, in any role.
func (i *installation) requests(t *testing.T) []testcluster.Request {
	t.Helper()
	requests, err := cluster.Audit.Since(i.mark, testcluster.By(i.account))
	if err != nil {
		t.Fatal(err)
	}
	return requests
}

// install applies a kustomization until the test ends, and runs the operator beside
// the pod that comes of it, which only pretends: with the rights of the pod's
// service account, and with the flags of its container.
func install(t *testing.T, kustomization string) *installation {
	t.Helper()
	manifests := filepath.Join(t.TempDir(), "install.yaml")
	if err := os.WriteFile(manifests, kustomize(t, kustomization), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { uninstall(t) })
	if err := cluster.Apply(t.Context(), "", manifests); err != nil {
		t.Fatal(err)
	}
	pod := managerPod(t)
	account := "system:serviceaccount:" + pod.Namespace + ":" + pod.Spec.ServiceAccountName
	access, err := cluster.ServiceAccount(t.Context(), pod.Namespace, pod.Spec.ServiceAccountName)
	if err != nil {
		t.Fatal(err)
	}
	waitAllowed(t, account, pod.Namespace, "create", "coordination.k8s.io", "leases")
	waitAllowed(t, account, "", "create", "authentication.k8s.io", "tokenreviews")

	mark := auditMark(t)
	metrics, probes := freeAddress(t), freeAddress(t)
	container := &pod.Spec.Containers[0]
	process, err := cluster.StartManager("installed", access, operatorPath, append(slices.Clone(container.Args),
		// Other addresses, for this is no network of the pod's own.
		"--metrics-bind-address="+metrics, "--health-probe-bind-address="+probes,
		// A pod reads it from the file system.
		"--leader-election-namespace="+pod.Namespace,
	)...)
	if err != nil {
		t.Fatal(err)
	}
	i := &installation{operator: &operator{Process: process, metrics: metrics}, pod: pod, container: container, account: account, mark: mark, probes: probes}
	t.Cleanup(func() {
		process.Kill()
		if t.Failed() {
			t.Logf("the operator's log ends with\n%s", process.Log())
		}
		denied := slices.DeleteFunc(i.requests(t), func(r testcluster.Request) bool { return !r.Denied })
		if len(denied) != 0 {
			t.Errorf("the manifests lack rights: %v; the first request that was denied: %v", testcluster.Count(denied), denied[0])
		}
	})
	testcluster.Eventually(t, patience, func() error { return get("http://" + probes + "/readyz") })
	return i
}

// kustomize renders a kustomization.
func kustomize(t *testing.T, dir string) []byte {
	t.Helper()
	build := exec.CommandContext(t.Context(), "go", "tool", "-modfile=../tools/go.mod", "kustomize", "build", dir)
	build.Env = append(os.Environ(), "GOWORK=off")
	var stderr bytes.Buffer
	build.Stderr = &stderr
	manifests, err := build.Output()
	if err != nil {
		t.Fatalf("kustomize build %s: %v\n%s", dir, err, stderr.Bytes())
	}
	return manifests
}

// uninstall takes away what install has applied, but for the CRD, which the other
// tests need, and waits until the namespace can be made again.
func uninstall(t *testing.T) {
	t.Helper()
	ours := client.MatchingLabels{"app.kubernetes.io/name": "thing-operator"}
	ctx := context.Background() // the test's has ended
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: installed}}
	err := errors.Join(
		client.IgnoreNotFound(cluster.Client.Delete(ctx, namespace)),
		cluster.Client.DeleteAllOf(ctx, &rbacv1.ClusterRoleBinding{}, ours),
		cluster.Client.DeleteAllOf(ctx, &rbacv1.ClusterRole{}, ours),
	)
	if err != nil {
		t.Errorf("removing the operator's manifests: %v", err)
	}
	testcluster.Eventually(t, patience, func() error {
		if err := cluster.Client.Get(ctx, client.ObjectKeyFromObject(namespace), namespace); !apierrors.IsNotFound(err) {
			return fmt.Errorf("namespace %s is still there: %v", installed, err)
		}
		return nil
	})
}

// managerPod waits for the manager's pod to be admitted and ready.
func managerPod(t *testing.T) *corev1.Pod {
	t.Helper()
	var pods corev1.PodList
	testcluster.Eventually(t, patience, func() error {
		var deployment appsv1.Deployment
		key := client.ObjectKey{Namespace: installed, Name: "thing-operator-controller-manager"}
		if err := cluster.Client.Get(t.Context(), key, &deployment); err != nil {
			return err
		}
		if want := *deployment.Spec.Replicas; deployment.Status.AvailableReplicas != want {
			return fmt.Errorf("%d of %d pods are available: %+v", deployment.Status.AvailableReplicas, want, deployment.Status.Conditions)
		}
		return cluster.Client.List(t.Context(), &pods, client.InNamespace(installed), client.MatchingLabels(deployment.Spec.Selector.MatchLabels))
	})
	if len(pods.Items) == 0 {
		t.Fatal("the manager's Deployment has no pods")
	}
	return &pods.Items[0]
}

// waitAllowed waits until the authorizer knows of a right.
func waitAllowed(t *testing.T, user, namespace, verb, group, resource string) {
	t.Helper()
	testcluster.Eventually(t, patience, func() error {
		if !allowed(t, user, namespace, verb, group, resource) {
			return fmt.Errorf("%s may not %s %s in %q", user, verb, resource, namespace)
		}
		return nil
	})
}

func allowed(t *testing.T, user, namespace, verb, group, resource string) bool {
	t.Helper()
	review := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
		User:               user,
		ResourceAttributes: &authorizationv1.ResourceAttributes{Namespace: namespace, Verb: verb, Group: group, Resource: resource},
	}}
	create(t, review)
	return review.Status.Allowed
}

// endpointsOf reads where a service of the operator leads, which must be to the pod.
func endpointsOf(ctx context.Context, found *discoveryv1.EndpointSliceList, service string, pod *corev1.Pod) error {
	if err := cluster.Client.List(ctx, found, client.InNamespace(pod.Namespace), client.MatchingLabels{discoveryv1.LabelServiceName: service}); err != nil {
		return err
	}
	addresses := sets.New[string]()
	for _, slice := range found.Items {
		for _, endpoint := range slice.Endpoints {
			addresses.Insert(endpoint.Addresses...)
		}
	}
	if !addresses.Has(pod.Status.PodIP) || len(found.Items) != 1 || len(found.Items[0].Ports) != 1 {
		return fmt.Errorf("service %s leads to %v in %d slices, want one with %s", service, sets.List(addresses), len(found.Items), pod.Status.PodIP)
	}
	return nil
}

func portOf(t *testing.T, container *corev1.Container, name string) int32 {
	t.Helper()
	for _, port := range container.Ports {
		if port.Name == name {
			return port.ContainerPort
		}
	}
	t.Fatalf("the container has no port %q", name)
	return 0
}
