// Package results makes what reconcilers return.
package results

import (
	"time"

	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// Unless asks for the next reconcile as long as the work is not done.
func Unless(done bool) (reconcile.Result, error) {
	if done {
		return reconcile.Result{}, nil
	}
	return reconcile.Result{RequeueAfter: 5 * time.Second}, nil
}
