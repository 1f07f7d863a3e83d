package preempt_test

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/operatorvet/operatorvet/operator/preempt"
)

// Reconciler reconciles Deployments, which stand for a kind of your own.
type Reconciler struct {
	guard *preempt.Guard[*appsv1.Deployment]
}

// SetupWithManager has the guard watch the kind that is reconciled.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	r.guard = preempt.New[*appsv1.Deployment](mgr.GetClient())
	return ctrl.NewControllerManagedBy(mgr).
		For(&appsv1.Deployment{}).
		Watches(&appsv1.Deployment{}, r.guard.EventHandler()).
		Complete(r)
}

// Reconcile has the guard read the object and watch over the work.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return r.guard.Reconcile(ctx, req, r.reconcile)
}

func (r *Reconciler) reconcile(ctx context.Context, deployment *appsv1.Deployment) (ctrl.Result, error) {
	// The work. Its context ends when there is a newer generation of the object.
	return ctrl.Result{}, nil
}

// A controller whose reconciles end when their object has a newer spec.
func Example() {
	mgr, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{})
	if err != nil {
		panic(err)
	}
	if err := new(Reconciler).SetupWithManager(mgr); err != nil {
		panic(err)
	}
	// mgr.Start(ctrl.SetupSignalHandler())
}
