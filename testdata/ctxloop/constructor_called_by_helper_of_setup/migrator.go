// Package migrator builds its cache in a helper that takes no context, which is
// called where there is one.
package migrator

import (
	"context"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/operatorvet/operatorvet/testdata/ctxloop/constructor_called_by_helper_of_setup/recent"
	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

type Migrator struct {
	recent recent.Recent
}

func (m *Migrator) Reconcile(context.Context, ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, nil
}

func (m *Migrator) SetupWithManager(ctx context.Context, mgr ctrl.Manager) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.setup()
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Complete(m)
}

func (m *Migrator) setup() {
	m.recent = recent.New(time.Minute) // want "ctxloop: .*never observes"
}
