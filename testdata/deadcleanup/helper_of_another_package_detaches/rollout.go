// Package rollout gets a context for its clean-up from another package.
package rollout

import (
	"context"
	"errors"
	"time"

	"github.com/operatorvet/operatorvet/testdata/deadcleanup/helper_of_another_package_detaches/detach"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func Run(ctx context.Context, c client.Client, node *corev1.Node) error {
	<-ctx.Done()
	cleanup, cancel := detach.Context(ctx, time.Minute)
	defer cancel()
	return errors.Join(c.Delete(cleanup, node), detach.Remove(ctx, c, node))
}
