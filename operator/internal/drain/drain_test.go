package drain_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
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

// patience bounds what must happen; the drain's own timeout is beyond it unless a test says otherwise.
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
	r.Drainer = &drain.Drainer{Client: r.client, FieldOwner: "test", HTTP: drain.NewHTTPClient(time.Second), Poll: 50 * time.Millisecond}
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

func (r *rig) mark(t *testing.T) {
	t.Helper()
	if err := r.Mark(t.Context(), r.pods, 7, r.endpoint); err != nil {
		t.Fatal(err)
	}
}

func TestAllPodsAreAskedAndWaitedFor(t *testing.T) {
	t.Parallel()
	s := newServer(t, drains(6)) // the two pods share it
	r := newRig(t, s, "a", "b")
	r.mark(t)
	if err := r.Drain(t.Context(), r.pods, patience); err != nil {
		t.Fatal(err)
	}
	posts := 0
	for _, method := range s.seen() {
		if method == http.MethodPost {
			posts++
		}
	}
	if posts != 2 {
		t.Errorf("%d pods were asked to drain, want 2", posts)
	}
}

func TestAPodThatServesNobodyIsNotAsked(t *testing.T) {
	t.Parallel()
	s := newServer(t, never)
	r := newRig(t, s, "a")
	r.pods[0].Status.Conditions = nil
	r.mark(t)
	if err := r.Drain(t.Context(), r.pods, patience); err != nil {
		t.Fatal(err)
	}
	if seen := s.seen(); len(seen) != 0 {
		t.Errorf("the pod was asked: %v", seen)
	}
}

func TestAPodThatKnowsNoDrainingIsDrained(t *testing.T) {
	t.Parallel()
	r := newRig(t, newServer(t, func(string, int) int { return http.StatusNotFound }), "a")
	r.mark(t)
	if err := r.Drain(t.Context(), r.pods, patience); err != nil {
		t.Fatal(err)
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
	r.mark(t)
	if err := r.Drain(t.Context(), r.pods, patience); err != nil {
		t.Fatal(err)
	}
	if want := []string{"POST", "GET", "POST", "GET"}; !slices.Equal(s.seen(), want) {
		t.Errorf("requests %v, want %v", s.seen(), want)
	}
}

func TestFailuresAreTriedAgainUntilTheTimeout(t *testing.T) {
	t.Parallel()
	r := newRig(t, newServer(t, func(string, int) int { return http.StatusInternalServerError }), "a")
	r.mark(t)
	if err := r.Drain(t.Context(), r.pods, 300*time.Millisecond); !errors.Is(err, drain.ErrTimedOut) {
		t.Errorf("got %v, want the timeout", err)
	}
}

func TestADrainEndsWithItsContext(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]func(string, int) int{
		"while it polls":                     never,
		"while a request is not answered":    func(string, int) int { time.Sleep(patience / 4); return 200 },
		"while every request is turned down": func(string, int) int { return http.StatusServiceUnavailable },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, newServer(t, answer), "a", "b")
			r.mark(t)
			why := errors.New("a newer spec")
			ctx, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(100*time.Millisecond, func() { cancel(why) })
			start := time.Now()
			if err := r.Drain(ctx, r.pods, time.Hour); !errors.Is(err, why) {
				t.Errorf("got %v, want the cause of the cancellation", err)
			}
			if took := time.Since(start); took > patience/5 {
				t.Errorf("the drain ended only after %s", took)
			}
		})
	}
}

// The ReplicaSet replaces a pod that vanishes, so going on would scale in one that nobody drained.
func TestAVictimThatVanishesEndsTheDrain(t *testing.T) {
	t.Parallel()
	r := newRig(t, newServer(t, never), "a", "b")
	r.mark(t)
	gone := r.pods[0].DeepCopy()
	time.AfterFunc(100*time.Millisecond, func() { _ = r.client.Delete(context.Background(), gone) })
	if err := r.Drain(t.Context(), r.pods, time.Hour); !errors.Is(err, drain.ErrVictimGone) {
		t.Errorf("got %v, want %v", err, drain.ErrVictimGone)
	}
}

func TestMarksComeAndGo(t *testing.T) {
	t.Parallel()
	s := newServer(t, never)
	r := newRig(t, s, "a")
	r.mark(t)
	marked := r.annotations(t, "a")
	if marked[corev1.PodDeletionCost] != "-2147483648" || marked[drain.Annotation] == "" {
		t.Errorf("annotations of a marked pod: %v", marked)
	}
	if err := r.Release(t.Context(), r.pods); err != nil {
		t.Fatal(err)
	}
	if left := r.annotations(t, "a"); len(left) != 0 {
		t.Errorf("annotations of a released pod: %v", left)
	}
	if want := []string{"DELETE"}; !slices.Equal(s.seen(), want) {
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
	r.mark(t)
	r.mark(t) // a second time, as by the process that comes after a killed one
	found := []corev1.Pod{servingPod("a")}
	found[0].Annotations = r.annotations(t, "a") // all that such a process knows
	if err := r.Release(t.Context(), found); err != nil {
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
	r.mark(t)
	if err := r.Release(t.Context(), r.pods); err == nil {
		t.Error("the release succeeded")
	}
	if r.annotations(t, "a")[drain.Annotation] == "" {
		t.Error("the pod is marked no more")
	}
}

func TestWhereNobodyListensNothingDrains(t *testing.T) {
	t.Parallel()
	s := newServer(t, never)
	r := newRig(t, s, "a")
	r.mark(t)
	s.Close()
	if err := r.Release(t.Context(), r.pods); err != nil {
		t.Fatal(err)
	}
	if left := r.annotations(t, "a"); len(left) != 0 {
		t.Errorf("annotations of a released pod: %v", left)
	}
}

func TestAPodThatIsGoneNeedsNoRelease(t *testing.T) {
	t.Parallel()
	r := newRig(t, newServer(t, never), "a")
	r.mark(t)
	if err := r.client.Delete(t.Context(), r.pods[0].DeepCopy()); err != nil {
		t.Fatal(err)
	}
	if err := r.Release(t.Context(), r.pods); err != nil {
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
