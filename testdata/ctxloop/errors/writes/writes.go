// Package writes sleeps between writes that fail once the context is done.
package writes

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/rand"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// ErrorOfWriteEndsShortSleeps writes until its write is accepted, a few times a
// second. A done context makes the write fail with an error that is no
// conflict.
type ErrorOfWriteEndsShortSleeps struct {
	client.Client
}

func (r *ErrorOfWriteEndsShortSleeps) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	for {
		thing := &thingapi.Thing{}
		if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
			return ctrl.Result{}, client.IgnoreNotFound(err)
		}
		thing.Status.Phase = "Claimed"
		err := r.Status().Update(ctx, thing)
		if !apierrors.IsConflict(err) {
			return ctrl.Result{}, err
		}
		time.Sleep(200 * time.Millisecond)
	}
}

// RandomPauseBetweenWrites pauses for a quarter of a second at most, so as not
// to press the server, between writes whose errors end the loop.
type RandomPauseBetweenWrites struct {
	client.Client
	Stored func() []client.Object
}

func (r *RandomPauseBetweenWrites) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	for i, obj := range r.Stored() {
		if err := r.Update(ctx, obj); err != nil {
			return ctrl.Result{}, err
		}
		if i%10 == 9 {
			time.Sleep(time.Duration(rand.IntnRange(50*int(time.Millisecond), 250*int(time.Millisecond))))
		}
	}
	return ctrl.Result{}, nil
}

const retries = 8

// SleepBeforeEachRetryButTheFirst sleeps at the head of its loop, ever longer,
// and only remembers the errors of its writes.
type SleepBeforeEachRetryButTheFirst struct {
	Clientset kubernetes.Interface
}

func (s *SleepBeforeEachRetryButTheFirst) Sync(ctx context.Context, pod *corev1.Pod, label string) error {
	var last error
	for attempt := 0; attempt < retries; attempt++ { // want "ctxloop: .*never observes"
		if attempt > 0 {
			time.Sleep(time.Duration(math.Pow(2, float64(attempt))) * time.Second)
		}
		pod = pod.DeepCopy()
		metav1.SetMetaDataLabel(&pod.ObjectMeta, "synced", label)
		_, err := s.Clientset.CoreV1().Pods(pod.Namespace).Update(ctx, pod, metav1.UpdateOptions{})
		if err == nil {
			return nil
		}
		last = err
	}
	return fmt.Errorf("after %d tries: %w", retries, last)
}
