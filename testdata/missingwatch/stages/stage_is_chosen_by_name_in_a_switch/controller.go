// Package fixture goes through the names of its stages and asks a switch for the
// object that does the work.
package fixture

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/testdata/missingwatch/stages/stage_is_chosen_by_name_in_a_switch/stages"
	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// ThingReconciler reconciles Things.
type ThingReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

type stageName string

const (
	accountStage stageName = "account"
	configStage  stageName = "config"
)

func (r *ThingReconciler) stage(name stageName) stages.Stage {
	switch name {
	case accountStage:
		return stages.NewAccount(r.Client)
	case configStage:
		return stages.NewConfig(r.Client)
	default:
		return nil
	}
}

// Reconcile brings the cluster in line with a Thing.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	for _, name := range []stageName{accountStage, configStage} {
		if err := r.stage(name).Reconcile(ctx, thing, r.Scheme); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}).
		Complete(r) // want "missingwatch: .*ServiceAccount"
}
