// Package results has what reconcilers return.
package results

import (
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

var (
	// Done is the end of the work.
	Done = ctrl.Result{}
	// Again looks again in a minute.
	Again = ctrl.Result{RequeueAfter: time.Minute}
	// Default is set by main.
	Default ctrl.Result
)
