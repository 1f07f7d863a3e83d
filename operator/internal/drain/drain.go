// Package drain empties pods before they are scaled in, and takes that back when they stay.
//
// A pod that is to go is marked first: with an annotation of ours and with a deletion cost below all others, so that the
// ReplicaSet controller deletes exactly the marked pods. The marks are the exclusion list, and they are kept in the
// cluster, not in the process: a mark is set before a pod is asked to drain and removed only after the pod has been told
// to serve again. It also says since when the pod drains. Whatever happens in between, the marks tell the next reconcile,
// of this process or another, which pods may be draining and how long they still may.
//
// A pod is asked over HTTP, at the end point that the Thing names:
//
//	POST    begin to drain; may come again
//	GET     200 or 204: drained; 202: still draining; 404: nobody asked (a restarted container)
//	DELETE  withdraw: serve again
//
// Nothing in here waits for a pod to drain: it is asked once, and whoever calls comes again. Every request ends with its
// context.
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

// Endpoint is where a pod is asked to drain.
type Endpoint struct {
	Port int32  `json:"port"`
	Path string `json:"path"`
}

// Mark says why, since when and where a pod is asked to drain, so that whoever finds it can go on or withdraw.
type Mark struct {
	// Generation is the generation of the Thing whose spec asked for the scale-in.
	Generation int64 `json:"generation"`
	// Since is when the pod was marked. It is not touched again: no restart and no newer spec gives the pod more time.
	Since time.Time `json:"since"`
	Endpoint
}

// Drainer marks, asks and releases pods.
type Drainer struct {
	// Client patches pods.
	Client client.Writer
	// FieldOwner is the field manager of the marks.
	FieldOwner client.FieldOwner
	// HTTP asks pods; see NewHTTPClient.
	HTTP *http.Client
}

// NewHTTPClient returns a client for pods: it goes through no proxy, follows no redirect, and gives up a single request
// after the timeout.
func NewHTTPClient(timeout time.Duration) *http.Client {
	return &http.Client{
		Timeout: timeout,
		Transport: &http.Transport{
			DialContext:       (&net.Dialer{Timeout: timeout}).DialContext,
			DisableKeepAlives: true, // by the next question the container may be another
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Marked reports whether a pod is on the exclusion list.
func Marked(pod *corev1.Pod) bool {
	_, marked := pod.Annotations[Annotation]
	return marked
}

// MarkOf reads a pod's mark. It reports false if there is none, or one that is not as Begin writes it.
func MarkOf(pod *corev1.Pod) (Mark, bool) {
	var mark Mark
	err := json.Unmarshal([]byte(pod.Annotations[Annotation]), &mark)
	return mark, err == nil && mark.Port != 0 && !mark.Since.IsZero()
}

// Begin puts pods on the exclusion list and asks them to drain. That one does not answer is no failure: Ask asks again. The
// pods given get the marks, too.
func (d *Drainer) Begin(ctx context.Context, pods []corev1.Pod, mark Mark) error {
	value, err := json.Marshal(mark)
	if err != nil {
		return err
	}
	_, err = each(ctx, pods, func(ctx context.Context, pod *corev1.Pod) error {
		if err := d.mark(ctx, pod, string(value)); err != nil {
			return fmt.Errorf("marking pod %s: %w", pod.Name, err)
		}
		if Serves(pod) {
			_, _ = d.send(ctx, http.MethodPost, pod, mark.Endpoint)
		}
		return nil
	})
	return err
}

func (d *Drainer) mark(ctx context.Context, pod *corev1.Pod, value string) error {
	marks := map[string]string{Annotation: value, corev1.PodDeletionCost: lowestCost}
	if cost, found := pod.Annotations[corev1.PodDeletionCost]; found && cost != lowestCost {
		marks[costBefore] = cost
	}
	if pod.Annotations == nil {
		pod.Annotations = make(map[string]string)
	}
	maps.Copy(pod.Annotations, marks)
	return d.annotate(ctx, pod, marks)
}

// Ask asks marked pods once whether they have drained, and returns those that have not. One that does not answer, or
// answers nonsense, has not.
func (d *Drainer) Ask(ctx context.Context, pods []corev1.Pod) (draining []corev1.Pod) {
	draining, _ = each(ctx, pods, d.drained)
	return draining
}

var errNotDrained = errors.New("the pod has not drained")

// drained returns nil if a pod has drained. One that serves nobody, or knows of no draining, has nothing to drain.
func (d *Drainer) drained(ctx context.Context, pod *corev1.Pod) error {
	mark, known := MarkOf(pod)
	if !known || !Serves(pod) {
		return nil
	}
	status, err := d.send(ctx, http.MethodGet, pod, mark.Endpoint)
	if err == nil && unknown(status) { // that it was asked, or draining at all
		if status, err = d.send(ctx, http.MethodPost, pod, mark.Endpoint); err == nil && unknown(status) {
			return nil
		}
		return errNotDrained
	}
	if err == nil && status != http.StatusOK && status != http.StatusNoContent {
		return errNotDrained
	}
	return err
}

// Release tells pods to serve again and takes them off the exclusion list. One that cannot be told stays on it, for the
// next attempt, and is returned.
func (d *Drainer) Release(ctx context.Context, pods []corev1.Pod) (untold []corev1.Pod, err error) {
	return each(ctx, pods, func(ctx context.Context, pod *corev1.Pod) error {
		if err := d.withdraw(ctx, pod); err != nil {
			return fmt.Errorf("withdrawing the drain of pod %s: %w", pod.Name, err)
		}
		return d.unmark(ctx, pod)
	})
}

// Forget takes pods off the exclusion list, whether or not they know that they are to serve.
func (d *Drainer) Forget(ctx context.Context, pods []corev1.Pod) error {
	_, err := each(ctx, pods, d.unmark)
	return err
}

func (d *Drainer) unmark(ctx context.Context, pod *corev1.Pod) error {
	marks := map[string]*string{Annotation: nil, costBefore: nil, corev1.PodDeletionCost: nil}
	if cost, found := pod.Annotations[costBefore]; found {
		marks[corev1.PodDeletionCost] = &cost
	}
	if cost, found := pod.Annotations[corev1.PodDeletionCost]; found && cost != lowestCost {
		delete(marks, corev1.PodDeletionCost) // somebody else has given the pod a new one since
	}
	return client.IgnoreNotFound(d.annotate(ctx, pod, marks))
}

// withdraw tells one pod to serve again. Where nobody listens or nobody knows of draining, nothing drains.
func (d *Drainer) withdraw(ctx context.Context, pod *corev1.Pod) error {
	mark, known := MarkOf(pod)
	if !known || pod.Status.PodIP == "" {
		return nil
	}
	status, err := d.send(ctx, http.MethodDelete, pod, mark.Endpoint)
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return nil
	case err != nil:
		return err
	case status < 300, unknown(status):
		return nil
	default:
		return fmt.Errorf("the pod answers %d", status)
	}
}

// unknown reports whether a pod answers that it knows of no such thing.
func unknown(status int) bool {
	switch status {
	case http.StatusNotFound, http.StatusGone, http.StatusMethodNotAllowed, http.StatusNotImplemented:
		return true
	default:
		return false
	}
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
func (d *Drainer) annotate(ctx context.Context, pod *corev1.Pod, annotations any) error {
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

// each does something with all pods at once, waits for the last of them, and returns those with which it failed; one that
// fails stops none of the others.
func each(ctx context.Context, pods []corev1.Pod, do func(context.Context, *corev1.Pod) error) (failed []corev1.Pod, err error) {
	errs := make([]error, len(pods))
	var group sync.WaitGroup
	for i := range pods {
		group.Go(func() { errs[i] = do(ctx, &pods[i]) })
	}
	group.Wait()
	for i := range pods {
		if errs[i] != nil {
			failed = append(failed, pods[i])
		}
	}
	return failed, errors.Join(errs...)
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

// Join lists pods for people, and of many only the first: what it goes into holds a thousand bytes.
func Join(pods []corev1.Pod) string {
	const most = 8 // names of 63 bytes at most
	names := Names(pods)
	if more := len(names) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), more)
	}
	return strings.Join(names, ", ")
}
