// Package watches watches again after errors.
package watches

import (
	"context"
	"errors"
	"log"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var errExpired = errors.New("expired")

// WatchBeginsAnewAfterError returns nil when its context is done, and also
// after errors that a new watch repairs. Neither is what it waited for.
type WatchBeginsAnewAfterError struct {
	Next func() error
}

// Watch returns when the watch has to begin anew, or not at all.
func (w *WatchBeginsAnewAfterError) Watch(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(time.Minute):
		}
		if err := w.Next(); err != nil {
			if errors.Is(err, errExpired) {
				return nil
			}
			return err
		}
	}
}

// CancellationIsToldFromOtherErrors goes on after errors, except after those of
// its context.
type CancellationIsToldFromOtherErrors struct {
	Clientset kubernetes.Interface
}

func (r *CancellationIsToldFromOtherErrors) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	for {
		_, err := r.Clientset.CoreV1().Nodes().Get(ctx, req.Name, metav1.GetOptions{})
		if err == nil {
			break
		}
		if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			return ctrl.Result{}, err
		}
		time.Sleep(500 * time.Millisecond)
	}
	for {
		_, err := r.Clientset.CoreV1().Services(req.Namespace).Get(ctx, req.Name, metav1.GetOptions{})
		switch {
		case err == nil:
			return ctrl.Result{}, nil
		case ctx.Err() != nil:
			return ctrl.Result{}, context.Cause(ctx)
		}
		log.Printf("get service: %v", err)
		time.Sleep(time.Second)
	}
}

// WatchStartsOverAfterCancellation watches again whenever a watch fails, also
// when it fails because there is no more context to watch with.
type WatchStartsOverAfterCancellation struct {
	Client client.WithWatch
	Handle func(ctx context.Context, secret *corev1.Secret)
}

// Run handles changes of secrets.
func (m *WatchStartsOverAfterCancellation) Run(ctx context.Context) {
	for { // want "ctxloop: .*never observes"
		if err := m.watch(ctx); err != nil {
			log.Printf("watch secrets: %v", err)
			time.Sleep(5 * time.Second)
		}
	}
}

func (m *WatchStartsOverAfterCancellation) watch(ctx context.Context) error {
	w, err := m.Client.Watch(ctx, &corev1.SecretList{})
	if err != nil {
		return err
	}
	defer w.Stop()
	for event := range w.ResultChan() {
		if secret, ok := event.Object.(*corev1.Secret); ok {
			m.Handle(ctx, secret)
		}
	}
	return nil
}
