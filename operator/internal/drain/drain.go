// Package drain empties pods before they are scaled in, and takes that back when they stay.
//
// A pod that is to go is marked first: with an annotation of ours and with a deletion cost below all others, so that the
// ReplicaSet controller deletes exactly the marked pods. The marks are the exclusion list, and they are kept in the
// cluster, not in the process: a mark is set before a pod is asked to drain and removed only after the pod has been told
// to serve again. Whatever happens in between, the marks tell the next process which pods may be draining.
//
// A pod is asked over HTTP, at the end point that the Thing names:
//
//	POST    begin to drain
//	GET     200 or 204: drained; 202: still draining; 404: nobody asked (a restarted container)
//	DELETE  withdraw: serve again
//
// Every request and every wait ends with its context.
package drain

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const (
	// Annotation marks a pod that may be draining; its value is a Mark.
	Annotation = "thing.example.com/draining"
	// costBefore keeps the deletion cost that the pod had, to restore it.
	costBefore = "thing.example.com/deletion-cost-before-drain"
	// lowestCost makes the ReplicaSet controller take a pod before all others that are ready.
	lowestCost = "-2147483648"
)

var (
	// ErrTimedOut is the cause of a wait that the drain's own timeout ended.
	ErrTimedOut = errors.New("pods did not drain in time")
	// ErrVictimGone says that a pod vanished while it drained. Its ReplicaSet has replaced it, so the choice of pods
	// is out of date.
	ErrVictimGone = errors.New("a pod that drains is gone")
)

// Endpoint is where a pod is asked to drain.
type Endpoint struct {
	Port int32  `json:"port"`
	Path string `json:"path"`
}

// Mark says why and where a pod was asked to drain, so that whoever finds it can withdraw.
type Mark struct {
	// Generation is the generation of the Thing whose spec asked for the scale-in.
	Generation int64 `json:"generation"`
	Endpoint
}

// Drainer marks, drains and releases pods.
type Drainer struct {
	// Client patches pods and, from its cache, tells whether they still exist.
	Client client.Client
	// FieldOwner is the field manager of the marks.
	FieldOwner client.FieldOwner
	// HTTP asks pods; see NewHTTPClient.
	HTTP *http.Client
	// Poll is the longest pause between two questions to a pod.
	Poll time.Duration
}

// NewHTTPClient returns a client for pods: it goes through no proxy, follows no redirect, and gives up a single request
// after the timeout.
func NewHTTPClient(timeout time.Duration) *http.Client {
	return &http.Client{
		Timeout: timeout,
		Transport: &http.Transport{
			DialContext:         (&net.Dialer{Timeout: timeout}).DialContext,
			MaxIdleConnsPerHost: 1,
			IdleConnTimeout:     10 * time.Second,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Marked reports whether a pod is on the exclusion list.
func Marked(pod *corev1.Pod) bool {
	_, marked := pod.Annotations[Annotation]
	return marked
}

// Mark puts pods on the exclusion list. The pods given get the annotations too, whether or not the API server has answered:
// so Release can restore what they had.
func (d *Drainer) Mark(ctx context.Context, pods []corev1.Pod, generation int64, endpoint Endpoint) error {
	mark, err := json.Marshal(Mark{Generation: generation, Endpoint: endpoint})
	if err != nil {
		return err
	}
	return each(ctx, pods, func(ctx context.Context, pod *corev1.Pod) error {
		marks := map[string]any{Annotation: string(mark), corev1.PodDeletionCost: lowestCost}
		if cost, found := pod.Annotations[corev1.PodDeletionCost]; found && cost != lowestCost {
			marks[costBefore] = cost
		}
		maps.DeleteFunc(marks, func(key string, value any) bool { return pod.Annotations[key] == value })
		if pod.Annotations == nil {
			pod.Annotations = make(map[string]string)
		}
		for key, value := range marks {
			pod.Annotations[key] = value.(string)
		}
		return d.annotate(ctx, pod, marks)
	})
}

// Drain asks marked pods to drain and waits until all have. It returns ErrTimedOut when the timeout passes first.
func (d *Drainer) Drain(ctx context.Context, pods []corev1.Pod, timeout time.Duration) error {
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, ErrTimedOut)
	defer cancel()

	group, each := errgroup.WithContext(ctx) // one pod's failure ends the wait for the others
	for i := range pods {
		if !Serves(&pods[i]) {
			continue // it has nothing to drain
		}
		group.Go(func() error { return d.drain(each, &pods[i]) })
	}
	err := group.Wait()
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx) // rather than what a request says that was cut off
	}
	return err
}

// drain asks one pod until it says that it has drained. A pod that does not answer, or answers nonsense, is asked again:
// the timeout is the judge of it.
func (d *Drainer) drain(ctx context.Context, pod *corev1.Pod) error {
	endpoint, known := endpointOf(pod)
	if !known {
		return nil
	}
	asked := false
	pause := time.NewTimer(0)
	defer pause.Stop()
	for wait := d.Poll / 16; ; wait = min(2*wait, d.Poll) {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-pause.C:
		}
		if asked {
			switch status, err := d.send(ctx, http.MethodGet, pod, endpoint); {
			case err != nil: // asked again below
			case status == http.StatusOK || status == http.StatusNoContent:
				return nil
			case status == http.StatusNotFound:
				asked = false
			}
		} else {
			switch status, err := d.send(ctx, http.MethodPost, pod, endpoint); {
			case err != nil: // asked again below
			case status == http.StatusNotFound || status == http.StatusMethodNotAllowed || status == http.StatusNotImplemented:
				return nil // the pod knows no draining
			case status < 300:
				asked = true
			}
		}
		if err := d.exists(ctx, pod); err != nil {
			return err
		}
		pause.Reset(wait)
	}
}

// exists fails with ErrVictimGone if the pod is gone or going. It asks the cache.
func (d *Drainer) exists(ctx context.Context, pod *corev1.Pod) error {
	var now corev1.Pod
	err := d.Client.Get(ctx, client.ObjectKeyFromObject(pod), &now)
	if apierrors.IsNotFound(err) || err == nil && (now.UID != pod.UID || now.DeletionTimestamp != nil) {
		return fmt.Errorf("%w: %s", ErrVictimGone, pod.Name)
	}
	return err
}

// Release tells pods to serve again and takes them off the exclusion list. A pod that cannot be told stays on it, for the
// next attempt.
func (d *Drainer) Release(ctx context.Context, pods []corev1.Pod) error {
	return each(ctx, pods, func(ctx context.Context, pod *corev1.Pod) error {
		if err := d.withdraw(ctx, pod); err != nil {
			return fmt.Errorf("withdrawing the drain of pod %s: %w", pod.Name, err)
		}
		marks := map[string]any{Annotation: nil, costBefore: nil, corev1.PodDeletionCost: nil}
		if cost, found := pod.Annotations[costBefore]; found {
			marks[corev1.PodDeletionCost] = cost
		}
		if cost, found := pod.Annotations[corev1.PodDeletionCost]; found && Marked(pod) && cost != lowestCost {
			delete(marks, corev1.PodDeletionCost) // somebody else has given the pod a new one since
		}
		return client.IgnoreNotFound(d.annotate(ctx, pod, marks))
	})
}

// withdraw tells one pod to serve again. Where nobody listens or nobody knows of draining, nothing drains.
func (d *Drainer) withdraw(ctx context.Context, pod *corev1.Pod) error {
	endpoint, known := endpointOf(pod)
	if !known || pod.Status.PodIP == "" {
		return nil
	}
	status, err := d.send(ctx, http.MethodDelete, pod, endpoint)
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return nil
	case err != nil:
		return err
	case status < 300, status == http.StatusNotFound, status == http.StatusGone, status == http.StatusMethodNotAllowed, status == http.StatusNotImplemented:
		return nil
	default:
		return fmt.Errorf("the pod answers %d", status)
	}
}

// endpointOf reads a pod's mark. A mark that is not as we write it names no end point.
func endpointOf(pod *corev1.Pod) (Endpoint, bool) {
	var mark Mark
	err := json.Unmarshal([]byte(pod.Annotations[Annotation]), &mark)
	return mark.Endpoint, err == nil && mark.Port != 0
}

func (d *Drainer) send(ctx context.Context, method string, pod *corev1.Pod, endpoint Endpoint) (status int, err error) {
	target := url.URL{
		Scheme: "http",
		Host:   net.JoinHostPort(pod.Status.PodIP, strconv.Itoa(int(endpoint.Port))),
		Path:   endpoint.Path,
	}
	request, err := http.NewRequestWithContext(ctx, method, target.String(), nil)
	if err != nil {
		return 0, err
	}
	response, err := d.HTTP.Do(request)
	if err != nil {
		return 0, err
	}
	return response.StatusCode, response.Body.Close()
}

// annotate sets annotations of a pod, or removes those that are nil. The UID keeps the patch from a successor of the same
// name.
func (d *Drainer) annotate(ctx context.Context, pod *corev1.Pod, annotations map[string]any) error {
	if len(annotations) == 0 {
		return nil
	}
	body, err := json.Marshal(map[string]any{"metadata": map[string]any{"uid": pod.UID, "annotations": annotations}})
	if err != nil {
		return err
	}
	target := &corev1.Pod{}
	target.Namespace, target.Name = pod.Namespace, pod.Name
	err = d.Client.Patch(ctx, target, client.RawPatch(types.MergePatchType, body), d.FieldOwner)
	if apierrors.IsConflict(err) { // the UID is another: this pod is gone
		return apierrors.NewNotFound(corev1.Resource("pods"), pod.Name)
	}
	return err
}

// each does something with all pods at once and waits for the last of them; one that fails stops none of the others.
func each(ctx context.Context, pods []corev1.Pod, do func(context.Context, *corev1.Pod) error) error {
	errs := make([]error, len(pods))
	var group sync.WaitGroup
	for i := range pods {
		group.Go(func() { errs[i] = do(ctx, &pods[i]) })
	}
	group.Wait()
	return errors.Join(errs...)
}

// Names returns the names of pods, sorted.
func Names(pods []corev1.Pod) []string {
	names := make([]string, len(pods))
	for i := range pods {
		names[i] = pods[i].Name
	}
	slices.Sort(names)
	return names
}

// Join lists names for people.
func Join(pods []corev1.Pod) string { return strings.Join(Names(pods), ", ") }
