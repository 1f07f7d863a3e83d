// Package rollout restarts workloads.
package rollout

import (
	"context"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Restart replaces the pods of a Deployment.
func Restart(ctx context.Context, c client.Client, key types.NamespacedName) error {
	var deploy appsv1.Deployment
	if err := c.Get(ctx, key, &deploy); err != nil {
		return err
	}
	base := deploy.DeepCopy()
	metav1.SetMetaDataAnnotation(&deploy.Spec.Template.ObjectMeta, "kubectl.kubernetes.io/restartedAt", time.Now().Format(time.RFC3339))
	return c.Patch(ctx, &deploy, client.MergeFrom(base))
}
