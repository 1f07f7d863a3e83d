// Package fixture takes steps, each of which decides by the status of a Thing whether
// it is taken.
package fixture

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

type step interface {
	due(thing *thingapi.Thing) bool
	take(ctx context.Context, thing *thingapi.Thing) error
}

// claimStep makes the claim of a Thing, once for each generation.
type claimStep struct{ client.Client }

const claimed = "Claimed"

func (s claimStep) due(thing *thingapi.Thing) bool {
	found := meta.FindStatusCondition(thing.Status.Conditions, claimed)
	return found == nil || found.Status != metav1.ConditionTrue || found.ObservedGeneration != thing.Generation
}

func (s claimStep) take(ctx context.Context, thing *thingapi.Thing) error {
	claim := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	if _, err := controllerutil.CreateOrUpdate(ctx, s.Client, claim, func() error {
		claim.Labels = thing.Spec.Labels
		return nil
	}); err != nil {
		return err
	}
	meta.SetStatusCondition(&thing.Status.Conditions, metav1.Condition{
		Type: claimed, Status: metav1.ConditionTrue, Reason: "Made", ObservedGeneration: thing.Generation,
	})
	return s.Status().Update(ctx, thing)
}

// configStep keeps the configuration of a Thing, as long as that is not done.
type configStep struct{ client.Client }

func (s configStep) due(thing *thingapi.Thing) bool { return thing.Status.Phase != "Done" }

func (s configStep) take(ctx context.Context, thing *thingapi.Thing) error {
	config := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, s.Client, config, func() error {
		config.Data = thing.Spec.Config
		return nil
	})
	return err
}

// StepsBehindAnInterface takes the steps that are due.
type StepsBehindAnInterface struct {
	client.Client
}

func (r *StepsBehindAnInterface) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	for _, s := range []step{claimStep{r.Client}, configStep{r.Client}} {
		if s.due(thing) {
			if err := s.take(ctx, thing); err != nil {
				return ctrl.Result{}, err
			}
		}
	}
	return ctrl.Result{}, nil
}

func (r *StepsBehindAnInterface) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: .*ConfigMap"
}

// StampsWhatItMade makes a Secret with a password, which must not be made again, and
// a Service that it makes again where it is gone.
type StampsWhatItMade struct {
	client.Client
}

func (r *StampsWhatItMade) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := r.secret(ctx, thing); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.service(ctx, thing)
}

func (r *StampsWhatItMade) secret(ctx context.Context, thing *thingapi.Thing) error {
	if thing.Status.LastSync != nil {
		return nil
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	if err := r.Create(ctx, secret); err != nil {
		return err
	}
	thing.Status.LastSync = &metav1.Time{Time: secret.CreationTimestamp.Time}
	return r.Status().Update(ctx, thing)
}

func (r *StampsWhatItMade) service(ctx context.Context, thing *thingapi.Thing) error {
	service := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	if thing.Status.ReadyReplicas != 0 {
		if err := r.Get(ctx, client.ObjectKeyFromObject(service), service); !apierrors.IsNotFound(err) {
			return err
		}
	}
	if err := r.Create(ctx, service); err != nil {
		return err
	}
	thing.Status.ReadyReplicas = 1
	return r.Status().Update(ctx, thing)
}

func (r *StampsWhatItMade) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: .*Service"
}
