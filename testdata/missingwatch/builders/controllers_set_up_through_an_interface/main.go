// Package fixture sets up the controllers of another package in a loop, through
// an interface: which of them watches too little is known there, not here.
package fixture

import (
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/operatorvet/operatorvet/testdata/missingwatch/builders/controllers_set_up_through_an_interface/controllers"
)

type controller interface {
	SetupWithManager(mgr ctrl.Manager) error
}

// Register sets up all controllers.
func Register(mgr ctrl.Manager) error {
	for _, c := range []controller{
		&controllers.ServiceReconciler{Client: mgr.GetClient()},
		&controllers.SecretReconciler{Client: mgr.GetClient()},
	} {
		if err := c.SetupWithManager(mgr); err != nil {
			return err
		}
	}
	return nil
}
