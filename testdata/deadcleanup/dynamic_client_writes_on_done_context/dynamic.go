// Package dynamic deletes a resource whose type it does not know.
package dynamic

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
)

func Hold(ctx context.Context, resources dynamic.ResourceInterface, name string) error {
	<-ctx.Done()
	return resources.Delete(ctx, name, metav1.DeleteOptions{}) // want "deadcleanup: ResourceInterface.Delete runs on ctx, which is done here"
}
