// Package labels changes the labels of objects of any kind.
package labels

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Add sets a label on the object with the name of obj, unless it has it.
func Add(ctx context.Context, c client.Client, obj client.Object, key, value string) error {
	if err := c.Get(ctx, client.ObjectKeyFromObject(obj), obj); err != nil {
		return err
	}
	labels := obj.GetLabels()
	if labels[key] == value {
		return nil
	}
	before := obj.DeepCopyObject().(client.Object)
	if labels == nil {
		labels = map[string]string{}
	}
	labels[key] = value
	obj.SetLabels(labels)
	return c.Patch(ctx, obj, client.MergeFrom(before))
}
