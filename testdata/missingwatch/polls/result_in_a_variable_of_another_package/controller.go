// Package fixture returns Results that are in variables of another package.
package fixture

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/testdata/missingwatch/polls/result_in_a_variable_of_another_package/results"
	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// EndsWithTheEmptyResult does not look again.
type EndsWithTheEmptyResult struct{ client.Client }

func (r *EndsWithTheEmptyResult) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return results.Done, client.IgnoreNotFound(err)
	}
	if err := createConfig(ctx, r.Client, thing); err != nil {
		return results.Done, err
	}
	return results.Done, nil
}

func (r *EndsWithTheEmptyResult) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: .*ConfigMap .*10 hours by default"
}

// EndsWithAnInterval looks again each minute.
type EndsWithAnInterval struct{ client.Client }

func (r *EndsWithAnInterval) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return results.Done, client.IgnoreNotFound(err)
	}
	if err := createConfig(ctx, r.Client, thing); err != nil {
		return results.Done, err
	}
	return results.Again, nil
}

func (r *EndsWithAnInterval) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}

// EndsAsMainSays returns what main may have set.
type EndsAsMainSays struct{ client.Client }

func (r *EndsAsMainSays) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return results.Done, client.IgnoreNotFound(err)
	}
	if err := createConfig(ctx, r.Client, thing); err != nil {
		return results.Done, err
	}
	return results.Default, nil
}

func (r *EndsAsMainSays) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r)
}

func createConfig(ctx context.Context, c client.Client, thing *thingapi.Thing) error {
	return client.IgnoreAlreadyExists(c.Create(ctx, &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: thing.Namespace, Name: thing.Name},
		Data:       thing.Spec.Config,
	}))
}
