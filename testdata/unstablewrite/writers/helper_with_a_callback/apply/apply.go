// Package apply brings the cluster's Deployments to what callers want.
package apply

import (
	"context"
	"maps"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Options are what a caller may change.
type Options struct {
	// Keep copies from what there is.
	Keep func(existing, wanted *appsv1.DeploymentSpec)
}

// Deployment creates the Deployment, or updates its spec if that differs.
func Deployment(ctx context.Context, c client.Client, wanted *appsv1.Deployment, o Options) error {
	var existing appsv1.Deployment
	if err := c.Get(ctx, client.ObjectKeyFromObject(wanted), &existing); err != nil {
		if apierrors.IsNotFound(err) {
			return c.Create(ctx, wanted)
		}
		return err
	}
	if len(existing.Finalizers) > 0 {
		patch := client.RawPatch(types.JSONPatchType, []byte(`[{"op":"remove","path":"/metadata/finalizers"}]`))
		if err := c.Patch(ctx, &existing, patch); err != nil {
			return err
		}
	}
	if o.Keep != nil {
		o.Keep(&existing.Spec, &wanted.Spec)
	}
	wanted.Spec.Template.Annotations = merge(existing.Spec.Template.Annotations, wanted.Spec.Template.Annotations)
	if equality.Semantic.DeepEqual(existing.Spec, wanted.Spec) {
		return nil
	}
	existing.Spec = wanted.Spec
	return c.Update(ctx, &existing)
}

// merge adds what others have set.
func merge(existing, wanted map[string]string) map[string]string {
	merged := make(map[string]string)
	maps.Copy(merged, existing)
	maps.Copy(merged, wanted)
	return merged
}

// Args returns an argument for each entry, in no particular order.
func Args(config map[string]string) []string {
	var args []string
	for name, value := range config {
		args = append(args, "--"+name+"="+value)
	}
	return args
}
