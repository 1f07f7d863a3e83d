// Package metrics is what the operator tells Prometheus about itself, beside what controller-runtime tells.
package metrics

import (
	"net/http"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/operatorvet/operatorvet/operator/preempt"
)

// DrainResult is how a scale-in that drains pods ended.
type DrainResult string

// How a scale-in ended.
const (
	Drained     DrainResult = "drained"
	TimedOut    DrainResult = "timed_out"
	Interrupted DrainResult = "interrupted"
)

// Metrics are the operator's own metrics. Make them with New.
type Metrics struct {
	writes      *prometheus.CounterVec
	preemptions *prometheus.CounterVec
	drains      *prometheus.CounterVec
}

// New registers the metrics of a controller.
func New(registry prometheus.Registerer, controller string) *Metrics {
	labels := prometheus.Labels{"controller": controller}
	m := &Metrics{
		writes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name:        "thing_operator_writes_total",
			Help:        "Write requests sent to the API server, by verb (create, update, patch, delete) and kind, events and the leader's lease among them.",
			ConstLabels: labels,
		}, []string{"verb", "kind"}),
		preemptions: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name:        "thing_operator_preemptions_total",
			Help:        "Reconciles that were cancelled because a newer spec or a deletion made them pointless, by reason.",
			ConstLabels: labels,
		}, []string{"reason"}),
		drains: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name:        "thing_operator_drains_total",
			Help:        "Scale-ins that drained pods, by result (drained, timed_out, interrupted).",
			ConstLabels: labels,
		}, []string{"result"}),
	}
	registry.MustRegister(m.writes, m.preemptions, m.drains)
	for _, result := range []DrainResult{Drained, TimedOut, Interrupted} {
		m.drains.WithLabelValues(string(result))
	}
	return m
}

// Preempted counts a pre-emption.
func (m *Metrics) Preempted(cause *preempt.Cause) {
	reason := "newer_spec"
	if cause.Deleted {
		reason = "deletion"
	}
	m.preemptions.WithLabelValues(reason).Inc()
}

// ScaledIn counts a scale-in that drained pods.
func (m *Metrics) ScaledIn(result DrainResult) { m.drains.WithLabelValues(string(result)).Inc() }

// CountWrites wraps a transport so that the writes that pass through it are counted: there, none can be forgotten. The
// scheme tells which kind a resource is. A review, such as a TokenReview, is created to ask a question and never stored,
// so it is no write.
func (m *Metrics) CountWrites(scheme *runtime.Scheme) func(http.RoundTripper) http.RoundTripper {
	kinds := make(map[string]string)
	for gvk := range scheme.AllKnownTypes() {
		resource, _ := meta.UnsafeGuessKindToResource(gvk)
		kinds[resource.Resource] = gvk.Kind
	}
	return func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(request *http.Request) (*http.Response, error) {
			if verb, kind := verbOf(request.Method), kindOf(kinds, request.URL.Path); verb != "" && !strings.HasSuffix(kind, "Review") {
				m.writes.WithLabelValues(verb, kind).Inc()
			}
			return next.RoundTrip(request)
		})
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(request *http.Request) (*http.Response, error) { return f(request) }

// verbOf returns the verb of a write, or nothing for a read.
func verbOf(method string) string {
	switch method {
	case http.MethodPost:
		return "create"
	case http.MethodPut:
		return "update"
	case http.MethodPatch:
		return "patch"
	case http.MethodDelete:
		return "delete"
	default:
		return ""
	}
}

// kindOf reads the kind out of a path such as /apis/apps/v1/namespaces/default/deployments/web/scale.
func kindOf(kinds map[string]string, path string) string {
	segments := strings.Split(strings.Trim(path, "/"), "/")
	for i, segment := range segments {
		if segment == "namespaces" && i+2 < len(segments) {
			return kindOrUnknown(kinds, segments[i+2])
		}
	}
	for _, segment := range segments { // cluster-scoped, or a namespace itself
		if kind, found := kinds[segment]; found {
			return kind
		}
	}
	return "unknown"
}

func kindOrUnknown(kinds map[string]string, resource string) string {
	if kind, found := kinds[resource]; found {
		return kind
	}
	return "unknown"
}
