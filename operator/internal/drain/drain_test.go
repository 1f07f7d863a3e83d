package drain_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/operatorvet/operatorvet/operator/internal/drain"
)

// patience bounds what must happen.
const patience = 20 * time.Second

// server is the drain end point of a pod.
type server struct {
	*httptest.Server
	mu       sync.Mutex
	requests []string
	answer   func(method string, count int) int // the status of the count-th request of the method
}

func newServer(t *testing.T, answer func(method string, count int) int) *server {
	t.Helper()
	s := &server{answer: answer}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.requests = append(s.requests, r.Method)
		count := 0
		for _, method := range s.requests {
			if method == r.Method {
				count++
			}
		}
		s.mu.Unlock()
		w.WriteHeader(s.answer(r.Method, count))
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *server) seen() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// drains answers as a pod that has drained at the n-th question.
func drains(n int) func(string, int) int {
	return func(method string, count int) int {
		switch {
		case method == http.MethodDelete:
			return http.StatusNoContent
		case method == http.MethodGet && count >= n:
			return http.StatusOK
		default:
			return http.StatusAccepted
		}
	}
}

func never(string, int) int { return http.StatusAccepted }

// rig is a drainer with some pods, all of which have the server's address.
type rig struct {
	*drain.Drainer
	client   client.Client
	endpoint drain.Endpoint
	pods     []corev1.Pod
}

func newRig(t *testing.T, s *server, names ...string) *rig {
	t.Helper()
	host, port, err := net.SplitHostPort(s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{endpoint: drain.Endpoint{Port: int32(number), Path: "/drain"}}
	builder := fake.NewClientBuilder()
	for _, name := range names {
		pod := servingPod(name)
		pod.Status.PodIP = host
		r.pods = append(r.pods, pod)
		builder.WithObjects(&pod)
	}
	r.client = builder.Build()
	r.Drainer = &drain.Drainer{Client: r.client, FieldOwner: "test", HTTP: drain.NewHTTPClient(time.Second)}
	return r
}

func servingPod(name string) corev1.Pod {
	return corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, UID: types.UID("uid-of-" + name)},
		Status: corev1.PodStatus{
			Phase:      corev1.PodRunning,
			PodIP:      "127.0.0.1",
			Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}},
		},
	}
}

// annotations are those of a pod in the cluster.
func (r *rig) annotations(t *testing.T, name string) map[string]string {
	t.Helper()
	var pod corev1.Pod
	if err := r.client.Get(t.Context(), client.ObjectKey{Namespace: "default", Name: name}, &pod); err != nil {
		t.Fatal(err)
	}
	return pod.Annotations
}

// began is when the pods of the tests were marked.
var began = time.Date(2020, 1, 2, 3, 4, 5, 6, time.UTC)

func (r *rig) begin(t *testing.T) {
	t.Helper()
	if err := r.Begin(t.Context(), r.pods, drain.Mark{Generation: 7, Since: began, Endpoint: r.endpoint}); err != nil {
		t.Fatal(err)
	}
}

// asked returns the names of the pods that have not drained.
func (r *rig) asked(t *testing.T) []string {
	t.Helper()
	return drain.Names(r.Ask(t.Context(), r.pods))
}

func TestAPodIsAskedOnceAndNotWaitedFor(t *testing.T) {
	t.Parallel()
	s := newServer(t, drains(3))
	r := newRig(t, s, "a")
	r.begin(t)
	for round, want := range [][]string{{"a"}, {"a"}, {}} {
		if got := r.asked(t); !slices.Equal(got, want) {
			t.Errorf("question %d: %v have not drained, want %v", round+1, got, want)
		}
	}
	if want := []string{"POST", "GET", "GET", "GET"}; !slices.Equal(s.seen(), want) {
		t.Errorf("requests %v, want %v", s.seen(), want)
	}
}

// Whoever finds the mark knows all that there is to know.
func TestTheMarkSaysSinceWhenAndWhere(t *testing.T) {
	t.Parallel()
	r := newRig(t, newServer(t, never), "a")
	r.begin(t)
	found := servingPod("a")
	found.Annotations = r.annotations(t, "a")
	mark, known := drain.MarkOf(&found)
	if want := (drain.Mark{Generation: 7, Since: began, Endpoint: r.endpoint}); !known || mark != want {
		t.Errorf("the mark says %+v, want %+v", mark, want)
	}
	for _, value := range []string{"", "yes", "{}", `{"port":1}`} {
		found.Annotations[drain.Annotation] = value
		if _, known := drain.MarkOf(&found); known {
			t.Errorf("%q is taken for a mark", value)
		}
	}
}

func TestAPodThatServesNobodyIsNotAsked(t *testing.T) {
	t.Parallel()
	s := newServer(t, never)
	r := newRig(t, s, "a")
	r.pods[0].Status.Conditions = nil
	r.begin(t)
	if got := r.asked(t); len(got) != 0 || len(s.seen()) != 0 {
		t.Errorf("%v have not drained; the pod was asked: %v", got, s.seen())
	}
}

func TestAPodThatKnowsNoDrainingIsDrained(t *testing.T) {
	t.Parallel()
	r := newRig(t, newServer(t, func(string, int) int { return http.StatusNotFound }), "a")
	r.begin(t)
	if got := r.asked(t); len(got) != 0 {
		t.Errorf("%v have not drained", got)
	}
}

// A container that restarts while it drains has forgotten about it.
func TestARestartedContainerIsAskedAgain(t *testing.T) {
	t.Parallel()
	s := newServer(t, func(method string, count int) int {
		switch {
		case method == http.MethodPost:
			return http.StatusAccepted
		case count == 1:
			return http.StatusNotFound
		default:
			return http.StatusOK
		}
	})
	r := newRig(t, s, "a")
	r.begin(t)
	if got := r.asked(t); !slices.Equal(got, []string{"a"}) {
		t.Errorf("%v have not drained, want the pod that was asked again", got)
	}
	if got := r.asked(t); len(got) != 0 {
		t.Errorf("%v have not drained", got)
	}
	if want := []string{"POST", "GET", "POST", "GET"}; !slices.Equal(s.seen(), want) {
		t.Errorf("requests %v, want %v", s.seen(), want)
	}
}

func TestWhatAnswersNonsenseHasNotDrained(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusInternalServerError, http.StatusServiceUnavailable, http.StatusFound, http.StatusUnauthorized} {
		r := newRig(t, newServer(t, func(string, int) int { return status }), "a")
		r.begin(t)
		if got := r.asked(t); !slices.Equal(got, []string{"a"}) {
			t.Errorf("status %d: %v have not drained", status, got)
		}
	}
}

func TestAQuestionEndsWithItsContext(t *testing.T) {
	t.Parallel()
	r := newRig(t, newServer(t, func(method string, _ int) int {
		if method == http.MethodGet {
			time.Sleep(patience / 4)
		}
		return http.StatusOK
	}), "a", "b")
	r.HTTP.Timeout = time.Hour
	r.begin(t)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, cancel)
	start := time.Now()
	if got := r.Ask(ctx, r.pods); len(got) != 2 {
		t.Errorf("%v have not drained", drain.Names(got))
	}
	if took := time.Since(start); took > patience/5 {
		t.Errorf("the question ended only after %s", took)
	}
}

func TestMarksComeAndGo(t *testing.T) {
	t.Parallel()
	s := newServer(t, never)
	r := newRig(t, s, "a")
	r.begin(t)
	marked := r.annotations(t, "a")
	if marked[corev1.PodDeletionCost] != "-2147483648" || marked[drain.Annotation] == "" {
		t.Errorf("annotations of a marked pod: %v", marked)
	}
	if _, err := r.Release(t.Context(), r.pods); err != nil {
		t.Fatal(err)
	}
	if left := r.annotations(t, "a"); len(left) != 0 {
		t.Errorf("annotations of a released pod: %v", left)
	}
	if want := []string{"POST", "DELETE"}; !slices.Equal(s.seen(), want) {
		t.Errorf("requests %v, want %v", s.seen(), want)
	}
}

func TestADeletionCostOfTheUsersIsRestored(t *testing.T) {
	t.Parallel()
	r := newRig(t, newServer(t, never), "a")
	r.pods[0].Annotations = map[string]string{corev1.PodDeletionCost: "10", "mine": "yes"}
	if err := r.client.Update(t.Context(), r.pods[0].DeepCopy()); err != nil {
		t.Fatal(err)
	}
	r.begin(t)
	r.begin(t) // a second time, as by the process that comes after a killed one
	found := []corev1.Pod{servingPod("a")}
	found[0].Annotations = r.annotations(t, "a") // all that such a process knows
	if _, err := r.Release(t.Context(), found); err != nil {
		t.Fatal(err)
	}
	left := r.annotations(t, "a")
	if left[corev1.PodDeletionCost] != "10" || left["mine"] != "yes" || len(left) != 2 {
		t.Errorf("annotations of a released pod: %v", left)
	}
}

// The mark is what the next process knows of a drain, so it goes last.
func TestAPodThatCannotBeToldStaysMarked(t *testing.T) {
	t.Parallel()
	r := newRig(t, newServer(t, func(string, int) int { return http.StatusInternalServerError }), "a")
	r.begin(t)
	untold, err := r.Release(t.Context(), r.pods)
	if err == nil || !slices.Equal(drain.Names(untold), []string{"a"}) {
		t.Errorf("%v could not be told: %v", drain.Names(untold), err)
	}
	if r.annotations(t, "a")[drain.Annotation] == "" {
		t.Error("the pod is marked no more")
	}
	if err := r.Forget(t.Context(), r.pods); err != nil {
		t.Fatal(err)
	}
	if left := r.annotations(t, "a"); len(left) != 0 {
		t.Errorf("annotations of a pod that is forgotten: %v", left)
	}
}

// An event's note holds no more than 1024 bytes.
func TestAListOfManyPodsIsShort(t *testing.T) {
	t.Parallel()
	var pods []corev1.Pod
	for i := range 1000 {
		pods = append(pods, servingPod(fmt.Sprintf("a-very-long-name-of-a-pod-as-they-are-made-by-deployments-%04d", i)))
	}
	if got := drain.Join(pods); len(got) > 700 || !strings.HasSuffix(got, "0007 and 992 more") {
		t.Errorf("%d bytes: %s", len(got), got)
	}
	if got := drain.Join(pods[:2]); got != pods[0].Name+", "+pods[1].Name {
		t.Error(got)
	}
}

func TestWhereNobodyListensNothingDrains(t *testing.T) {
	t.Parallel()
	s := newServer(t, never)
	r := newRig(t, s, "a")
	r.begin(t)
	s.Close()
	if _, err := r.Release(t.Context(), r.pods); err != nil {
		t.Fatal(err)
	}
	if left := r.annotations(t, "a"); len(left) != 0 {
		t.Errorf("annotations of a released pod: %v", left)
	}
}

func TestAPodThatIsGoneNeedsNoRelease(t *testing.T) {
	t.Parallel()
	r := newRig(t, newServer(t, never), "a")
	r.begin(t)
	if err := r.client.Delete(t.Context(), r.pods[0].DeepCopy()); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Release(t.Context(), r.pods); err != nil {
		t.Fatal(err)
	}
}

func TestVictimsAreThoseThatTheReplicaSetWouldTake(t *testing.T) {
	t.Parallel()
	now := time.Now()
	pod := func(name string, age time.Duration, change ...func(*corev1.Pod)) corev1.Pod {
		pod := servingPod(name)
		pod.CreationTimestamp = metav1.NewTime(now.Add(-age))
		for _, change := range change {
			change(&pod)
		}
		return pod
	}
	cost := func(value string) func(*corev1.Pod) {
		return func(pod *corev1.Pod) { pod.Annotations = map[string]string{corev1.PodDeletionCost: value} }
	}
	marked := func(pod *corev1.Pod) { pod.Annotations = map[string]string{drain.Annotation: "{}"} }
	unready := func(pod *corev1.Pod) { pod.Status.Conditions = nil }
	pods := []corev1.Pod{
		pod("dear", time.Minute, cost("100")),
		pod("old", time.Hour),
		pod("young", time.Minute),
		pod("cheap", time.Hour, cost("-5")),
		pod("marked", time.Hour, marked),
		pod("unready", time.Hour, unready),
	}
	var order []string
	for _, pod := range drain.Choose(pods, len(pods)) {
		order = append(order, pod.Name)
	}
	if want := []string{"unready", "marked", "cheap", "young", "old", "dear"}; !slices.Equal(order, want) {
		t.Errorf("order %v, want %v", order, want)
	}
	if got := drain.Choose(pods, 2); len(got) != 2 {
		t.Errorf("%d victims, want 2", len(got))
	}
	if got := drain.Choose(pods, -1); len(got) != 0 {
		t.Errorf("%d victims, want none", len(got))
	}
}
