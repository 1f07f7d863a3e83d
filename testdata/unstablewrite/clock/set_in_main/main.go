// Command set_in_main decides which functions the reconcilers call for the time.
// Only a pass over the whole module sees both.
package main

import (
	"os"
	"time"

	"github.com/operatorvet/operatorvet/testdata/unstablewrite/clock/set_in_main/controller"
	ctrl "sigs.k8s.io/controller-runtime"
)

func main() {
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{})
	if err != nil {
		os.Exit(1)
	}
	seen := &controller.FieldSetInMainIsAClock{Client: mgr.GetClient(), Now: time.Now}
	built := controller.NewConstructorTakesTheClock(mgr.GetClient(), time.Now, controller.WithSource(controller.Real{}))
	fixed := &controller.FieldSetInMainIsNoClock{Client: mgr.GetClient(), Released: released}
	unknown := &controller.FieldSetInMainIsUnknown{Client: mgr.GetClient(), Now: fromFlags()}
	for _, setup := range []func(ctrl.Manager) error{
		seen.SetupWithManager, built.SetupWithManager, fixed.SetupWithManager, unknown.SetupWithManager,
	} {
		if err := setup(mgr); err != nil {
			os.Exit(1)
		}
	}
	if err := mgr.Start(ctrl.SetupSignalHandler()); err != nil {
		os.Exit(1)
	}
}

func released() time.Time { return time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC) }

func fromFlags() func() time.Time {
	choices := map[string]func() time.Time{"now": time.Now, "released": released}
	return choices[os.Args[1]]
}
