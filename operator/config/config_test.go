// Package config tests what the manifests promise.
package config

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"sigs.k8s.io/yaml"
)

// promtool runs the tests of the alerts. Building it takes minutes, the first time.
func TestAlerts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var rule struct {
		Spec json.RawMessage `json:"spec"`
	}
	read(t, "prometheus/rule.yaml", &rule)
	write(t, filepath.Join(dir, "rules.yaml"), rule.Spec) // JSON is YAML
	tests, err := os.ReadFile("prometheus/rule_test.yaml")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "rule_test.yaml"), tests)

	command := exec.Command("go", "tool", "-modfile="+absolute(t, "../tools/promtool/go.mod"), "promtool", "test", "rules", filepath.Join(dir, "rule_test.yaml"))
	// Without the clients of all clouds there is less to build.
	command.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -tags=remove_all_sd", "GOWORK=off")
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("promtool: %v\n%s", err, out)
	}
}

// Every metric that the dashboard shows or an alert looks at is one that somebody exports.
func TestMetricsExist(t *testing.T) {
	t.Parallel()
	exported := map[string]bool{ // by controller-runtime, client-go and the Go client of Prometheus
		"controller_runtime_reconcile_total":               true,
		"controller_runtime_reconcile_errors_total":        true,
		"controller_runtime_reconcile_time_seconds_bucket": true,
		"controller_runtime_active_workers":                true,
		"controller_runtime_max_concurrent_reconciles":     true,
		"workqueue_depth":                                  true,
		"rest_client_requests_total":                       true,
		"process_cpu_seconds_total":                        true,
		"process_resident_memory_bytes":                    true,
		"thing_operator_writes_total":                      true,
		"thing_operator_preemptions_total":                 true,
		"thing_operator_drains_total":                      true,
	}
	name := regexp.MustCompile(`\b[a-z]+(?:_[a-z]+){2,}\b|\bworkqueue_[a-z]+\b`)
	for _, expression := range append(dashboard(t), alerts(t)...) {
		found := name.FindAllString(regexp.MustCompile(`\{[^}]*\}|by \([^)]*\)`).ReplaceAllString(expression, ""), -1)
		if len(found) == 0 {
			t.Errorf("%s: no metric", expression)
		}
		for _, metric := range found {
			if !exported[metric] {
				t.Errorf("%s: nobody exports %s", expression, metric)
			}
		}
	}
}

func dashboard(t *testing.T) (expressions []string) {
	var board struct {
		Panels []struct {
			Targets []struct{ Expr string }
		}
	}
	read(t, "grafana/thing-operator.json", &board)
	for _, panel := range board.Panels {
		for _, target := range panel.Targets {
			expressions = append(expressions, target.Expr)
		}
	}
	return expressions
}

func alerts(t *testing.T) (expressions []string) {
	var rule struct {
		Spec struct {
			Groups []struct {
				Rules []struct{ Expr string }
			}
		}
	}
	read(t, "prometheus/rule.yaml", &rule)
	for _, group := range rule.Spec.Groups {
		for _, rule := range group.Rules {
			expressions = append(expressions, rule.Expr)
		}
	}
	return expressions
}

func read(t *testing.T, path string, into any) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(content, into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}
