// Package livecalls sleeps between calls that fail once the context is done.
package livecalls

import (
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// ErrorOfLiveCallEndsShortSleeps sleeps for a second at most, between calls
// that fail once the context is done and whose errors end the loop.
type ErrorOfLiveCallEndsShortSleeps struct {
	Clientset kubernetes.Interface
	APIReader client.Reader
	Endpoint  string
}

func New(mgr ctrl.Manager, clientset kubernetes.Interface) *ErrorOfLiveCallEndsShortSleeps {
	return &ErrorOfLiveCallEndsShortSleeps{Clientset: clientset, APIReader: mgr.GetAPIReader()}
}

func (r *ErrorOfLiveCallEndsShortSleeps) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	for {
		job, err := r.Clientset.BatchV1().Jobs(req.Namespace).Get(ctx, req.Name, metav1.GetOptions{})
		if err != nil {
			return ctrl.Result{}, err
		}
		if job.Status.Succeeded > 0 {
			break
		}
		time.Sleep(time.Second)
	}
	if err := r.awaitSecret(ctx, req); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.awaitAnswer(ctx)
}

func (r *ErrorOfLiveCallEndsShortSleeps) awaitSecret(ctx context.Context, req ctrl.Request) error {
	for {
		secret := &corev1.Secret{}
		if err := r.APIReader.Get(ctx, req.NamespacedName, secret); err != nil {
			return err
		}
		if len(secret.Data) > 0 {
			return nil
		}
		time.Sleep(500 * time.Millisecond)
	}
}

func (r *ErrorOfLiveCallEndsShortSleeps) awaitAnswer(ctx context.Context) error {
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.Endpoint, nil)
		if err != nil {
			return err
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return err
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
		if resp.StatusCode == http.StatusOK {
			return nil
		}
		time.Sleep(500 * time.Millisecond)
	}
}

// ErrorOfLiveCallOnlyContinues hands its context to every call, and goes on
// when the calls fail because it is cancelled.
type ErrorOfLiveCallOnlyContinues struct {
	Clientset kubernetes.Interface
}

func (r *ErrorOfLiveCallOnlyContinues) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, r.awaitReady(ctx, req.Name)
}

func (r *ErrorOfLiveCallOnlyContinues) awaitReady(ctx context.Context, name string) error {
	for { // want "ctxloop: .*never observes"
		node, err := r.Clientset.CoreV1().Nodes().Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			log.Printf("get node %s: %v", name, err)
			time.Sleep(10 * time.Second)
			continue
		}
		if ready(node) {
			return nil
		}
		time.Sleep(10 * time.Second)
	}
}

func ready(node *corev1.Node) bool {
	for _, c := range node.Status.Conditions {
		if c.Type == corev1.NodeReady {
			return c.Status == corev1.ConditionTrue
		}
	}
	return false
}

// LiveReadThenLongSleep notices cancellation by the error of a live read, but
// only once a long sleep is over.
type LiveReadThenLongSleep struct {
	Clientset kubernetes.Interface
}

func (r *LiveReadThenLongSleep) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	for { // want "ctxloop: .*only after"
		job, err := r.Clientset.BatchV1().Jobs(req.Namespace).Get(ctx, req.Name, metav1.GetOptions{})
		if err != nil {
			return ctrl.Result{}, err
		}
		if job.Status.Succeeded > 0 {
			return ctrl.Result{}, nil
		}
		time.Sleep(30 * time.Second)
	}
}

const attempts = 10

// SleepBetweenCachedReads waits for a pod by sleeping between reads from the
// cache. The cache never looks at the context, so these reads do not notice
// that it is done, whatever is made of their errors.
type SleepBetweenCachedReads struct {
	client.Client
}

func (r *SleepBetweenCachedReads) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := r.awaitRunning(ctx, req); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.awaitAll(ctx, req.Namespace)
}

func (r *SleepBetweenCachedReads) awaitRunning(ctx context.Context, req ctrl.Request) error {
	for i := 0; i < attempts; i++ { // want "ctxloop: .*never observes"
		pod := &corev1.Pod{}
		err := r.Get(ctx, req.NamespacedName, pod)
		if err == nil && pod.Status.Phase == corev1.PodRunning {
			return nil
		}
		time.Sleep(time.Second)
	}
	return errors.New("bootstrap pod does not run")
}

func (r *SleepBetweenCachedReads) awaitAll(ctx context.Context, namespace string) error {
	for { // want "ctxloop: .*never observes"
		var pods corev1.PodList
		if err := r.List(ctx, &pods, client.InNamespace(namespace)); err != nil {
			return err
		}
		if running(pods.Items) {
			return nil
		}
		time.Sleep(5 * time.Second)
	}
}

func running(pods []corev1.Pod) bool {
	for i := range pods {
		if pods[i].Status.Phase != corev1.PodRunning {
			return false
		}
	}
	return true
}
