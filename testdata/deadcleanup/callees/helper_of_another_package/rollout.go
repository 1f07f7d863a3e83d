// Package rollout cleans up with the help of other packages.
package rollout

import (
	"context"
	"errors"
	"time"

	"github.com/operatorvet/operatorvet/testdata/deadcleanup/callees/helper_of_another_package/detach"
	"github.com/operatorvet/operatorvet/testdata/deadcleanup/callees/helper_of_another_package/marks"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// HelperOfAnotherPackageDetaches gets a context for its clean-up from another
// package.
func HelperOfAnotherPackageDetaches(ctx context.Context, c client.Client, node *corev1.Node) error {
	<-ctx.Done()
	cleanup, cancel := detach.Context(ctx, time.Minute)
	defer cancel()
	return errors.Join(c.Delete(cleanup, node), detach.Remove(ctx, c, node))
}

// HelperOfAnotherPackageWritesOnDoneContext takes a rollout back through a
// helper of another package.
func HelperOfAnotherPackageWritesOnDoneContext(ctx context.Context, m *marks.Marks, node string, steps <-chan string) error {
	for {
		select {
		case <-steps:
		case <-ctx.Done():
			return m.Remove(ctx, node) // want "deadcleanup: Marks.Remove .NodeInterface.Patch, .*marks.go:.*. runs on ctx, which is done here"
		}
	}
}
