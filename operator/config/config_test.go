// Package config tests what the manifests promise.
package config

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/yaml"
)

// promtool runs the tests of the alerts.
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

	command := promtool(t, "test", "rules", filepath.Join(dir, "rule_test.yaml"))
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("promtool: %v\n%s", err, out)
	}
}

// promtool returns a command that runs promtool: the one on the PATH, or one that is built, which takes minutes the first
// time.
func promtool(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	if program, err := exec.LookPath("promtool"); err == nil {
		return exec.Command(program, args...)
	}
	command := exec.Command("go", append([]string{"tool", "-modfile=" + absolute(t, "../tools/promtool/go.mod"), "promtool"}, args...)...)
	// Without the clients of all clouds there is less to build.
	command.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -tags=remove_all_sd", "GOWORK=off")
	return command
}

func TestKustomizationsBuild(t *testing.T) {
	t.Parallel()
	kustomizations, err := filepath.Glob("*/kustomization.yaml")
	if err != nil || len(kustomizations) == 0 {
		t.Fatalf("kustomizations: %v, %v", kustomizations, err)
	}
	for _, kustomization := range kustomizations {
		dir := filepath.Dir(kustomization)
		command := exec.Command("go", "tool", "-modfile="+absolute(t, "../tools/go.mod"), "kustomize", "build", dir)
		command.Env = append(os.Environ(), "GOWORK=off")
		if out, err := command.CombinedOutput(); err != nil || len(out) == 0 {
			t.Errorf("kustomize build %s: %v\n%s", dir, err, out)
		}
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
		"thing_operator_stalled_things":                    true,
	}
	name := regexp.MustCompile(`\b[a-z]+(?:_[a-z]+){2,}\b|\bworkqueue_[a-z]+\b`)
	expressions := expressionsOf(dashboard(t))
	for _, alert := range alerts(t) {
		expressions = append(expressions, alert.Expr)
	}
	for _, expression := range expressions {
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

// The dashboard shows the namespaces that are chosen and no others, whoever else uses the same Prometheus.
func TestDashboardIsAboutTheChosenNamespaces(t *testing.T) {
	t.Parallel()
	var board struct {
		Templating struct {
			List []struct{ Name, Type string }
		}
	}
	read(t, "grafana/thing-operator.json", &board)
	offered := false
	for _, variable := range board.Templating.List {
		offered = offered || variable.Name == "namespace" && variable.Type == "query"
	}
	if !offered {
		t.Error("there is no namespace to choose")
	}
	series := regexp.MustCompile(`[a-z_]+(\{[^}]*\})`)
	for _, expression := range expressionsOf(dashboard(t)) {
		found := series.FindAllStringSubmatch(expression, -1)
		if len(found) == 0 {
			t.Errorf("%s: no series is chosen by its labels", expression)
		}
		for _, labels := range found {
			if !strings.Contains(labels[1], `namespace=~"$namespace"`) {
				t.Errorf("%s: not about the namespaces that are chosen", expression)
			}
		}
	}
}

// A panel that shows what an alert looks at shows where the alert begins.
func TestDashboardHasTheThresholdsOfTheAlerts(t *testing.T) {
	t.Parallel()
	chosen := strings.NewReplacer(`namespace=~"$namespace", `, "", `controller="thing", `, "")
	seen := 0
	for _, alert := range alerts(t) {
		limited := regexp.MustCompile(`^(.*) (?:>|>=) ([0-9.]+)$`).FindStringSubmatch(alert.Expr)
		if limited == nil {
			continue
		}
		shown := limited[1]
		limit, err := strconv.ParseFloat(limited[2], 64)
		if err != nil {
			t.Errorf("%s: %v", alert.Alert, err)
		}
		for _, shows := range dashboard(t) {
			if !slices.ContainsFunc(expressionsOf([]panel{shows}), func(e string) bool { return chosen.Replace(e) == chosen.Replace(shown) }) {
				continue
			}
			seen++
			steps := shows.FieldConfig.Defaults.Thresholds.Steps
			if len(steps) == 0 || steps[len(steps)-1].Value == nil || *steps[len(steps)-1].Value != limit || shows.FieldConfig.Defaults.Custom.ThresholdsStyle.Mode == "" {
				t.Errorf("panel %q shows no line at %g, where %s begins", shows.Title, limit, alert.Alert)
			}
		}
	}
	if seen < 4 {
		t.Errorf("%d panels show what an alert looks at; want those of writes, reconciles, stalled Things and workers", seen)
	}
}

// Each alert leads to a section of the runbook, and each section is about an alert.
func TestAlertsHaveARunbook(t *testing.T) {
	t.Parallel()
	const page = "https://github.com/operatorvet/operatorvet/blob/main/docs/runbook.md"
	content, err := os.ReadFile("../../docs/runbook.md")
	if err != nil {
		t.Fatal(err)
	}
	sections := map[string]bool{}
	for _, heading := range regexp.MustCompile(`(?m)^## (.*)$`).FindAllStringSubmatch(string(content), -1) {
		sections[heading[1]] = true
	}
	for _, alert := range alerts(t) {
		if want := page + "#" + strings.ToLower(alert.Alert); alert.Annotations.RunbookURL != want {
			t.Errorf("%s: the runbook is %q, want %q", alert.Alert, alert.Annotations.RunbookURL, want)
		}
		if !sections[alert.Alert] {
			t.Errorf("the runbook has no section about %s", alert.Alert)
		}
		delete(sections, alert.Alert)
	}
	for section := range sections {
		t.Errorf("the runbook has a section about %s, which is no alert", section)
	}
}

// The ServiceMonitor finds the Service of the metrics, and the port that it names is one of the Service's.
func TestMonitorFindsTheMetrics(t *testing.T) {
	t.Parallel()
	var monitor struct {
		Spec struct {
			Endpoints []struct{ Port, Path, Scheme string }
			Selector  metav1.LabelSelector
		}
	}
	read(t, "prometheus/monitor.yaml", &monitor)
	var service corev1.Service
	read(t, "default/metrics_service.yaml", &service)
	selector, err := metav1.LabelSelectorAsSelector(&monitor.Spec.Selector)
	if err != nil {
		t.Fatal(err)
	}
	if selector.Empty() || !selector.Matches(labels.Set(service.Labels)) {
		t.Errorf("the monitor selects %s, the Service is %v", selector, service.Labels)
	}
	for _, endpoint := range monitor.Spec.Endpoints {
		if !slices.ContainsFunc(service.Spec.Ports, func(port corev1.ServicePort) bool { return port.Name == endpoint.Port }) {
			t.Errorf("the Service has no port %q", endpoint.Port)
		}
	}
	if len(monitor.Spec.Endpoints) == 0 {
		t.Error("the monitor reads nothing")
	}
	var installed, monitored struct{ Namespace string }
	read(t, "default/kustomization.yaml", &installed)
	read(t, "prometheus/kustomization.yaml", &monitored)
	if installed != monitored {
		t.Errorf("the operator is in namespace %s, the monitor in %s", installed.Namespace, monitored.Namespace)
	}
}

type panel struct {
	Title       string
	Targets     []struct{ Expr string }
	FieldConfig struct {
		Defaults struct {
			Custom     struct{ ThresholdsStyle struct{ Mode string } }
			Thresholds struct {
				Steps []struct{ Value *float64 }
			}
		}
	}
}

func dashboard(t *testing.T) []panel {
	t.Helper()
	var board struct{ Panels []panel }
	read(t, "grafana/thing-operator.json", &board)
	return board.Panels
}

func expressionsOf(panels []panel) (expressions []string) {
	for _, panel := range panels {
		for _, target := range panel.Targets {
			expressions = append(expressions, target.Expr)
		}
	}
	return expressions
}

type alertRule struct {
	Alert, Expr string
	Annotations struct {
		RunbookURL string `json:"runbook_url"`
	}
}

func alerts(t *testing.T) (rules []alertRule) {
	t.Helper()
	var rule struct {
		Spec struct {
			Groups []struct{ Rules []alertRule }
		}
	}
	read(t, "prometheus/rule.yaml", &rule)
	for _, group := range rule.Spec.Groups {
		rules = append(rules, group.Rules...)
	}
	return rules
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
