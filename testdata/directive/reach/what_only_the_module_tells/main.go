// Command what_only_the_module_tells decides how the controllers wait.
package main

import (
	"os"
	"time"

	"github.com/operatorvet/operatorvet/testdata/directive/reach/what_only_the_module_tells/controller"
	ctrl "sigs.k8s.io/controller-runtime"
)

func main() {
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{})
	if err != nil {
		os.Exit(1)
	}
	sleeps := &controller.Sleeps{Client: mgr.GetClient(), Sleep: time.Sleep}
	goes := &controller.GoesOn{Client: mgr.GetClient(), Sleep: noSleep}
	if sleeps.SetupWithManager(mgr) != nil || goes.SetupWithManager(mgr) != nil {
		os.Exit(1)
	}
	if err := mgr.Start(ctrl.SetupSignalHandler()); err != nil {
		os.Exit(1)
	}
}

func noSleep(time.Duration) {}
