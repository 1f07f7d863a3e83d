// Command wired_in_main puts the cloud behind the interfaces of the controllers,
// and a sleep into one of their fields. Only a pass over the whole module sees
// both sides.
package main

import (
	"os"
	"time"

	"github.com/operatorvet/operatorvet/testdata/ctxloop/callees/wired_in_main/cloud"
	"github.com/operatorvet/operatorvet/testdata/ctxloop/callees/wired_in_main/controller"
	ctrl "sigs.k8s.io/controller-runtime"
)

func main() {
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{})
	if err != nil {
		os.Exit(1)
	}
	disks := &cloud.Disks{}
	if err := controller.Setup(mgr, disks, disks, time.Sleep); err != nil {
		os.Exit(1)
	}
	if err := mgr.Start(ctrl.SetupSignalHandler()); err != nil {
		os.Exit(1)
	}
}
