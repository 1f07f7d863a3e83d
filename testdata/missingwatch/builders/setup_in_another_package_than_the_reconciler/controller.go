// Package fixture only registers controllers; what they do is in another package,
// and so are the writes.
package fixture

import (
	appsv1 "k8s.io/api/apps/v1"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/operatorvet/operatorvet/testdata/missingwatch/builders/setup_in_another_package_than_the_reconciler/things"
	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// Register adds all controllers to the manager.
func Register(mgr ctrl.Manager) error {
	r := &things.Reconciler{Client: mgr.GetClient(), Scheme: mgr.GetScheme()}
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&appsv1.Deployment{}).
		Complete(r) // want "missingwatch: .*Secret"
}
