package test

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/operatorvet/operatorvet/operator/internal/testcluster"
)

func TestHelpExplainsEachFlag(t *testing.T) {
	t.Parallel()
	code, stdout, stderr := runOperator(t, "", "--help")
	if code != 0 || stderr != "" {
		t.Errorf("exit code %d, stderr %q", code, stderr)
	}
	lines := strings.Split(stdout, "\n")
	flags := 0
	for i, line := range lines {
		if !strings.HasPrefix(line, "  -") {
			continue
		}
		flags++
		if i+1 == len(lines) || len(strings.TrimSpace(lines[i+1])) < 10 {
			t.Errorf("flag without an explanation: %s", line)
		}
	}
	if flags == 0 {
		t.Errorf("no flags in\n%s", stdout)
	}
}

func TestWhatCannotStartSaysWhyInOneLine(t *testing.T) {
	t.Parallel()
	nowhere := filepath.Join(t.TempDir(), "kubeconfig")
	config := clientcmdapi.NewConfig()
	config.Clusters["nowhere"] = &clientcmdapi.Cluster{Server: "https://" + freeAddress(t)}
	config.Contexts["nowhere"] = &clientcmdapi.Context{Cluster: "nowhere"}
	config.CurrentContext = "nowhere"
	if err := clientcmd.WriteToFile(*config, nowhere); err != nil {
		t.Fatal(err)
	}
	for name, row := range map[string]struct {
		kubeconfig string
		args       []string
		want       string
	}{
		"unknown flag":        {"", []string{"--no-such-flag"}, "no-such-flag"},
		"bad value":           {"", []string{"--sync-period=often"}, "sync-period"},
		"argument":            {"", []string{"now"}, "now"},
		"no kubeconfig":       {filepath.Join(t.TempDir(), "none"), nil, "no cluster configured"},
		"unreachable cluster": {nowhere, nil, "cannot reach the cluster"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			code, stdout, stderr := runOperator(t, row.kubeconfig, row.args...)
			if code != 1 || stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, row.want) {
				t.Errorf("exit code %d, stdout %q, stderr %q; want one line that says %q", code, stdout, stderr, row.want)
			}
		})
	}
}

// runOperator runs the operator to its end.
func runOperator(t *testing.T, kubeconfig string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	command := exec.CommandContext(ctx, operatorPath, args...)
	command.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig)
	var out, errOut bytes.Buffer
	command.Stdout, command.Stderr = &out, &errOut
	var exit *exec.ExitError
	if err := command.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return command.ProcessState.ExitCode(), out.String(), errOut.String()
}

// Secured metrics are for those whom the cluster lets read them.
func TestSecuredMetrics(t *testing.T) {
	operator := startOperator(t, "--metrics-secure=true")
	namespace := newNamespace(t)
	outsider, scraper := serviceAccountToken(t, namespace, "outsider"), serviceAccountToken(t, namespace, "scraper")
	create(t, &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: namespace},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "metrics-reader"},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: namespace, Name: "scraper"}},
	})
	for _, row := range []struct {
		who, token string
		want       int
	}{
		{"nobody", "", http.StatusUnauthorized},
		{"a service account without the role", outsider, http.StatusForbidden},
		{"one that may read metrics", scraper, http.StatusOK},
	} {
		testcluster.Eventually(t, patience, func() error {
			code, err := scrape(t.Context(), operator.metrics, row.token)
			if err == nil && code != row.want {
				err = fmt.Errorf("%s gets %d, want %d", row.who, code, row.want)
			}
			return err
		})
	}
}

func serviceAccountToken(t *testing.T, namespace, name string) string {
	t.Helper()
	create(t, &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}})
	access, err := cluster.ServiceAccount(t.Context(), namespace, name)
	if err != nil {
		t.Fatal(err)
	}
	return access.BearerToken
}

func scrape(ctx context.Context, address, token string) (code int, err error) {
	client := &http.Client{
		Timeout:   10 * time.Second,
		Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}, // its certificate is its own
	}
	defer client.CloseIdleConnections()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://"+address+"/metrics", nil)
	if err != nil {
		return 0, err
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := client.Do(request)
	if err != nil {
		return 0, err
	}
	return response.StatusCode, response.Body.Close()
}

// Profiles tell what is in the memory, so nobody gets them unasked.
func TestProfilesAreServedOnlyWhereAskedFor(t *testing.T) {
	operator := startOperator(t)
	if err := get("http://" + operator.metrics + "/debug/pprof/cmdline"); err == nil {
		t.Error("the metrics' address serves profiles")
	}
	operator.terminate(t)

	address := freeAddress(t)
	operator = startOperator(t, "--pprof-bind-address="+address)
	testcluster.Eventually(t, patience, func() error { return get("http://" + address + "/debug/pprof/goroutine?debug=1") })
	if err := get("http://" + operator.metrics + "/debug/pprof/cmdline"); err == nil {
		t.Error("the metrics' address serves profiles")
	}
}
