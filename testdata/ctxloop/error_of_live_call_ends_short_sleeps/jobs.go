// Package jobs sleeps for a second at most, between calls that fail once the
// context is done and whose errors end the loop.
package jobs

import (
	"context"
	"io"
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Reconciler struct {
	Clientset kubernetes.Interface
	APIReader client.Reader
	Endpoint  string
}

func New(mgr ctrl.Manager, clientset kubernetes.Interface) *Reconciler {
	return &Reconciler{Clientset: clientset, APIReader: mgr.GetAPIReader()}
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
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

func (r *Reconciler) awaitSecret(ctx context.Context, req ctrl.Request) error {
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

func (r *Reconciler) awaitAnswer(ctx context.Context) error {
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
