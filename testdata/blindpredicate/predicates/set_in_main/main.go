// Command set_in_main decides which events the controllers get. Only a pass over
// the whole module sees both.
package main

import (
	"os"

	"github.com/operatorvet/operatorvet/testdata/blindpredicate/predicates/set_in_main/controller"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

func main() {
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{})
	if err != nil {
		os.Exit(1)
	}
	blind := &controller.FieldSetInMainIsBlind{Client: mgr.GetClient(), Filter: predicate.GenerationChangedPredicate{}}
	sees := &controller.FieldSetInMainSeesChanges{Client: mgr.GetClient(), Filter: predicate.ResourceVersionChangedPredicate{}}
	if blind.SetupWithManager(mgr) != nil || sees.SetupWithManager(mgr) != nil {
		os.Exit(1)
	}
	if err := mgr.Start(ctrl.SetupSignalHandler()); err != nil {
		os.Exit(1)
	}
}
