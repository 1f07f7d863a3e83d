// Package stages holds the pieces of the work on a Thing.
package stages

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// Stage does one piece of the work.
type Stage interface {
	Reconcile(ctx context.Context, thing *thingapi.Thing, scheme *runtime.Scheme) error
}

type accountStage struct{ client client.Client }

// NewAccount returns the stage that keeps the account.
func NewAccount(c client.Client) Stage { return &accountStage{client: c} }

func (s *accountStage) Reconcile(ctx context.Context, thing *thingapi.Thing, scheme *runtime.Scheme) error {
	account := AccountOf(thing, scheme)
	_, err := controllerutil.CreateOrUpdate(ctx, s.client, account, func() error {
		account.Labels = thing.Spec.Labels
		return nil
	})
	return err
}

// AccountOf returns the account of a thing, with its controller reference.
func AccountOf(thing *thingapi.Thing, scheme *runtime.Scheme) *corev1.ServiceAccount {
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_ = controllerutil.SetControllerReference(thing, account, scheme)
	return account
}

type configStage struct{ client client.Client }

// NewConfig returns the stage that keeps the ConfigMap.
func NewConfig(c client.Client) Stage { return &configStage{client: c} }

func (s *configStage) Reconcile(ctx context.Context, thing *thingapi.Thing, scheme *runtime.Scheme) error {
	config := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, s.client, config, func() error {
		config.Data = thing.Spec.Config
		return controllerutil.SetControllerReference(thing, config, scheme)
	})
	return err
}
