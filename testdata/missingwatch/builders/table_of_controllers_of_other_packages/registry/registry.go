// Package registry registers the controllers of other packages, which it has in a
// table. What is to be said of them is said where they are.
package registry

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/missingwatch/builders/table_of_controllers_of_other_packages/configs"
	ctrl "sigs.k8s.io/controller-runtime"
)

// A Controller can be registered.
type Controller interface {
	Setup(ctx context.Context, mgr ctrl.Manager) error
}

// Run registers the controllers and starts them.
func Run(ctx context.Context, mgr ctrl.Manager) error {
	controllers := []Controller{&configs.Reconciler{}}
	if err := setup(ctx, mgr, controllers); err != nil {
		return err
	}
	return mgr.Start(ctx)
}

func setup(ctx context.Context, mgr ctrl.Manager, controllers []Controller) error {
	for _, c := range controllers {
		if err := c.Setup(ctx, mgr); err != nil {
			return err
		}
	}
	return nil
}
