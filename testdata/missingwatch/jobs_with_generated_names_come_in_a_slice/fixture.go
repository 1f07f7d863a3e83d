// Package fixture starts as many Jobs as there is work, each with a name of its
// own that nobody knows beforehand.
package fixture

import (
	"context"

	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// ThingReconciler reconciles Things.
type ThingReconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

// Reconcile starts the Jobs of a Thing.
func (r *ThingReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	for _, job := range r.jobs(thing, int(thing.Status.ReadyReplicas)) {
		if err := r.Create(ctx, job); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

func (r *ThingReconciler) jobs(thing *thingapi.Thing, n int) []*batchv1.Job {
	jobs := make([]*batchv1.Job, n)
	for i := range n {
		job := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{
			GenerateName: thing.GetName() + "-",
			Namespace:    thing.GetNamespace(),
		}}
		if err := controllerutil.SetControllerReference(thing, job, r.Scheme); err != nil {
			return nil
		}
		jobs[i] = job
	}
	return jobs
}

// SetupWithManager registers the controller.
func (r *ThingReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}
