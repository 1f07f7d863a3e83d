// Package fixture leaves work to jobs that the reconciler starts.
package fixture

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/testdata/missingwatch/polls/jobs_look_again/jobs"
	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// StartsAJob has a ConfigMap made again each minute.
type StartsAJob struct{ client.Client }

func (r *StartsAJob) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	jobs.Every(context.Background(), time.Minute, r.job(thing))
	return ctrl.Result{}, nil
}

func (r *StartsAJob) job(thing *thingapi.Thing) func() error {
	return func() error { return createConfig(context.Background(), r.Client, thing) }
}

func (r *StartsAJob) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}

// StartsAJobThatEnds has it made once.
type StartsAJobThatEnds struct{ client.Client }

func (r *StartsAJobThatEnds) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	jobs.Once(context.Background(), time.Minute, func() error { return createConfig(context.Background(), r.Client, thing) })
	return ctrl.Result{}, nil
}

func (r *StartsAJobThatEnds) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: .*ConfigMap .*10 hours by default"
}

// StartsAJobThatComparesTheStatus has it made only when the number of replicas changes.
type StartsAJobThatComparesTheStatus struct {
	client.Client
	Replicas func(name string) (int32, error)
}

func (r *StartsAJobThatComparesTheStatus) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	jobs.Every(context.Background(), time.Minute, r.job(thing))
	return ctrl.Result{}, nil
}

func (r *StartsAJobThatComparesTheStatus) job(thing *thingapi.Thing) func() error {
	return func() error {
		ctx := context.Background()
		if err := r.Get(ctx, client.ObjectKeyFromObject(thing), thing); err != nil {
			return err
		}
		ready, err := r.Replicas(thing.Name)
		if err != nil || ready == thing.Status.ReadyReplicas {
			return err
		}
		thing.Status.ReadyReplicas = ready
		if err := r.Status().Update(ctx, thing); err != nil {
			return err
		}
		return createConfig(ctx, r.Client, thing)
	}
}

func (r *StartsAJobThatComparesTheStatus) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: .*ConfigMap .*10 hours by default"
}

func createConfig(ctx context.Context, c client.Client, thing *thingapi.Thing) error {
	return client.IgnoreAlreadyExists(c.Create(ctx, &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: thing.Namespace, Name: thing.Name},
		Data:       thing.Spec.Config,
	}))
}
