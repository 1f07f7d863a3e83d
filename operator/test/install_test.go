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
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"sigs.k8s.io/controller-runtime/pkg/client"

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

// installation is an operator that runs as its manifests say.
type installation struct {
	*operator
	pod       *corev1.Pod
	container *corev1.Container
	probes    string // where they are answered
}

// install applies a kustomization until the test ends, and runs the operator beside
// the pod that comes of it, which only pretends: with the rights of the pod's
// service account, and with the flags of its container.
func install(t *testing.T, kustomization string, args ...string) *installation {
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
	process, err := cluster.StartManager("installed", access, operatorPath, slices.Concat(container.Args, []string{
		// Other addresses, for this is no network of the pod's own.
		"--metrics-bind-address=" + metrics, "--health-probe-bind-address=" + probes,
		// A pod reads it from the file system.
		"--leader-election-namespace=" + pod.Namespace,
	}, args)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		process.Kill()
		if t.Failed() {
			t.Logf("the operator's log ends with\n%s", process.Log())
		}
		requests, err := cluster.Audit.Since(mark, testcluster.By(account))
		if err != nil || len(requests) == 0 {
			t.Errorf("%s: %d requests, %v", account, len(requests), err)
		}
		for _, request := range requests {
			if request.Denied {
				t.Errorf("the manifests lack a right: %v", request)
			}
		}
	})
	testcluster.Eventually(t, patience, func() error { return get("http://" + probes + "/readyz") })
	return &installation{operator: &operator{Process: process, metrics: metrics}, pod: pod, container: container, probes: probes}
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
// tests need.
func uninstall(t *testing.T) {
	ours := client.MatchingLabels{"app.kubernetes.io/name": "thing-operator"}
	ctx := context.Background()
	err := errors.Join(
		client.IgnoreNotFound(cluster.Client.Delete(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: installed}})),
		cluster.Client.DeleteAllOf(ctx, &rbacv1.ClusterRoleBinding{}, ours),
		cluster.Client.DeleteAllOf(ctx, &rbacv1.ClusterRole{}, ours),
	)
	if err != nil {
		t.Errorf("removing the operator's manifests: %v", err)
	}
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
		review := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
			User:               user,
			ResourceAttributes: &authorizationv1.ResourceAttributes{Namespace: namespace, Verb: verb, Group: group, Resource: resource},
		}}
		if err := cluster.Client.Create(t.Context(), review); err != nil {
			return err
		}
		if !review.Status.Allowed {
			return fmt.Errorf("%s may not %s %s in %q", user, verb, resource, namespace)
		}
		return nil
	})
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
