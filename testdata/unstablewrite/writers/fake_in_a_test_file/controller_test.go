package controller

import (
	"context"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type unsigned struct{}

func (unsigned) sign(*corev1.ConfigMap) {}

// restless is what the rule speaks of, but for a test.
type restless struct{ client.Client }

func (r *restless) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	cm := &corev1.ConfigMap{}
	cm.Name, cm.Namespace = req.Name, req.Namespace
	cm.Annotations = map[string]string{"at": time.Now().String()}
	return ctrl.Result{}, r.Update(ctx, cm)
}

// touch is a method that only tests add to a type of the operator.
func (r *Reconciler) touch(ctx context.Context, cm *corev1.ConfigMap) error {
	for ctx.Err() == nil {
		time.Sleep(time.Minute)
	}
	cm.Annotations = map[string]string{"at": time.Now().String()}
	return r.Update(ctx, cm)
}

var fakes = func() []signer { return []signer{unsigned{}} }()

func init() { fakes = append(fakes, dated{}) }

func TestSign(t *testing.T) {
	for _, s := range fakes {
		s.sign(&corev1.ConfigMap{})
	}
	_ = (&Reconciler{}).touch
}
