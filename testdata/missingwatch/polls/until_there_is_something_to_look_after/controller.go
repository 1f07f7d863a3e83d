// Package fixture polls in some states of the status, and not in others.
package fixture

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// PollsOnceThereAreMembers looks after the members of a Thing. It looks for new ones
// until it has found them all, and each minute from then on. Only a Thing that wants
// none has none.
type PollsOnceThereAreMembers struct{ client.Client }

func (r *PollsOnceThereAreMembers) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := finish(ctx, r.Client, thing); err != nil {
		return ctrl.Result{}, err
	}
	if controllerutil.AddFinalizer(thing, "example.com/thing") {
		return ctrl.Result{}, r.Update(ctx, thing)
	}
	if err := keepConfig(ctx, r.Client, thing); err != nil {
		return ctrl.Result{}, err
	}
	if wanted := thing.Spec.Replicas; wanted != nil && int(*wanted) > len(thing.Status.Members) {
		thing.Status.Members = append(thing.Status.Members, thing.Name)
		return ctrl.Result{RequeueAfter: time.Second}, r.Status().Update(ctx, thing)
	}
	if !hasMembers(thing) {
		return ctrl.Result{}, nil
	}
	return ctrl.Result{RequeueAfter: time.Minute}, nil
}

func hasMembers(thing *thingapi.Thing) bool {
	return len(thing.Status.Members) > 0
}

// finish notes that a Thing is being deleted where its other outputs are.
func finish(ctx context.Context, c client.Client, thing *thingapi.Thing) error {
	if thing.DeletionTimestamp.IsZero() {
		return nil
	}
	return keepConfig(ctx, c, thing)
}

func (r *PollsOnceThereAreMembers) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}

// PollsWhileWorkIsDone looks again until the work that the status names has ended. A
// Thing that is ready has none.
type PollsWhileWorkIsDone struct{ client.Client }

func (r *PollsWhileWorkIsDone) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := keepConfig(ctx, r.Client, thing); err != nil {
		return ctrl.Result{}, err
	}
	if thing.Status.Hash == "" {
		return ctrl.Result{}, nil
	}
	if thing.Status.ReadyReplicas > 0 {
		thing.Status.Hash = ""
	} else {
		thing.Status.Hash = thing.Name
	}
	return ctrl.Result{RequeueAfter: time.Minute}, r.Status().Update(ctx, thing)
}

func (r *PollsWhileWorkIsDone) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: .*ConfigMap .*10 hours by default"
}

// NeverSeesItsMembers would poll once there are members. Its predicate drops the update
// of the status that says so.
type NeverSeesItsMembers struct{ client.Client }

func (r *NeverSeesItsMembers) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := keepConfig(ctx, r.Client, thing); err != nil {
		return ctrl.Result{}, err
	}
	if len(thing.Status.Members) == 0 {
		thing.Status.Members = append(thing.Status.Members, thing.Name)
		return ctrl.Result{}, r.Status().Update(ctx, thing)
	}
	return ctrl.Result{RequeueAfter: time.Minute}, nil
}

func (r *NeverSeesItsMembers) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Complete(r) // want "missingwatch: .*ConfigMap .*never repaired"
}

func keepConfig(ctx context.Context, c client.Client, thing *thingapi.Thing) error {
	config := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, c, config, func() error {
		config.Data = thing.Spec.Config
		return nil
	})
	return err
}
