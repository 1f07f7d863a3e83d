// Package prepare stands between the waits and a command or a controller, and
// knows no more of them.
package prepare

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/testdata/ctxloop/startup/start_up_waits_for_definitions_and_port/install"
)

func All(ctx context.Context, kube client.Client, names ...string) error {
	for _, name := range names {
		if err := install.Established(ctx, kube, name); err != nil {
			return err
		}
	}
	return nil
}
