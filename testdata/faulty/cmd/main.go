// Command thing-operator is an operator with three bugs; see internal/controller.
package main

import (
	"os"

	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"

	thingsv1alpha1 "github.com/operatorvet/operatorvet/testdata/faulty/api/v1alpha1"
	"github.com/operatorvet/operatorvet/testdata/faulty/internal/controller"
)

func main() {
	ctrl.SetLogger(zap.New())
	log := ctrl.Log.WithName("setup")

	scheme := runtime.NewScheme()
	utilruntime.Must(clientgoscheme.AddToScheme(scheme))
	utilruntime.Must(thingsv1alpha1.AddToScheme(scheme))

	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{Scheme: scheme})
	if err != nil {
		log.Error(err, "cannot create the manager")
		os.Exit(1)
	}
	reconciler := &controller.ThingReconciler{
		Client: mgr.GetClient(),
		Scheme: mgr.GetScheme(),
		Drain:  &controller.Drainer{BaseURL: os.Getenv("THING_ADMIN_URL")},
	}
	if err := reconciler.SetupWithManager(mgr); err != nil {
		log.Error(err, "cannot set up the controller")
		os.Exit(1)
	}
	if err := mgr.Start(ctrl.SetupSignalHandler()); err != nil {
		log.Error(err, "manager ended")
		os.Exit(1)
	}
}
