// Package backup has the steps of a backup.
package backup

import (
	"context"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// The phases in which a backup ends.
const (
	Failed    = "Failed"
	Completed = "Completed"
)

// Reconciler makes backups.
type Reconciler struct {
	client.Client
}

// Reconcile notes the backup on the pods, then completes it.
func (r *Reconciler) Reconcile(ctx context.Context, thing *thingapi.Thing, pods []corev1.Pod) (*ctrl.Result, error) {
	for i := range pods {
		pods[i].Annotations["backup-of"] = thing.Name
		if err := r.Update(ctx, &pods[i]); err != nil {
			return &ctrl.Result{RequeueAfter: time.Second}, err
		}
	}
	return r.complete(ctx, thing)
}

func (r *Reconciler) complete(ctx context.Context, thing *thingapi.Thing) (*ctrl.Result, error) {
	now := metav1.Now()
	thing.Status.Phase = Completed
	thing.Status.LastSync = &now
	return nil, r.Status().Update(ctx, thing)
}

// Touch notes that the backup was looked at.
func (r *Reconciler) Touch(ctx context.Context, thing *thingapi.Thing, pods []corev1.Pod) (*ctrl.Result, error) {
	base := thing.DeepCopy()
	if len(pods) > 0 {
		metav1.SetMetaDataAnnotation(&thing.ObjectMeta, "looked-at", time.Now().Format(time.RFC3339))
	}
	return nil, r.Patch(ctx, thing, client.MergeFrom(base))
}
