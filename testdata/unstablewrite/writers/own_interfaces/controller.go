// Package fixture writes through interfaces of its own that repeat a part of
// the library's client.
package fixture

import (
	"context"
	"time"

	"github.com/operatorvet/operatorvet/testdata/unstablewrite/writers/own_interfaces/kube"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// UpdaterInAField has its client behind an interface of another package.
type UpdaterInAField struct {
	reader  client.Reader
	updater kube.Updater
}

func (r *UpdaterInAField) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	config := &corev1.ConfigMap{}
	if err := r.reader.Get(ctx, req.NamespacedName, config); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	config.Data = map[string]string{"seen": time.Now().String()} // want "unstablewrite: .*Update"
	return ctrl.Result{}, r.updater.Update(ctx, config)
}

// StableContent writes what it read.
type StableContent struct {
	reader  client.Reader
	updater kube.Updater
}

func (r *StableContent) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	config := &corev1.ConfigMap{}
	if err := r.reader.Get(ctx, req.NamespacedName, config); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	config.Data = map[string]string{"uid": string(config.UID)}
	return ctrl.Result{}, r.updater.Update(ctx, config)
}

// TypeParameterIsTheClient applies through a generic function.
type TypeParameterIsTheClient struct{ client client.Client }

func (r *TypeParameterIsTheClient) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	config := &corev1.ConfigMap{}
	config.Name, config.Namespace = req.Name, req.Namespace
	config.Data = map[string]string{"seen": time.Now().String()} // want "unstablewrite: .*Patch"
	return ctrl.Result{}, kube.Apply(ctx, r.client, config)
}

// AnotherMethodOfThatName tells somebody; nothing is written to the cluster.
type AnotherMethodOfThatName struct {
	reader   client.Reader
	notifier kube.Notifier
}

func (r *AnotherMethodOfThatName) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	config := &corev1.ConfigMap{}
	if err := r.reader.Get(ctx, req.NamespacedName, config); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	config.Data = map[string]string{"seen": time.Now().String()}
	return ctrl.Result{}, r.notifier.Update(ctx, config)
}

// remembering implements the interface, and writes nothing.
type remembering struct{ last client.Object }

func (u *remembering) Update(_ context.Context, obj client.Object, _ ...client.UpdateOption) error {
	u.last = obj
	return nil
}

// ImplementedOtherwise passes its own implementation to the helper.
type ImplementedOtherwise struct{ reader client.Reader }

func (r *ImplementedOtherwise) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	config := &corev1.ConfigMap{}
	if err := r.reader.Get(ctx, req.NamespacedName, config); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	config.Data = map[string]string{"seen": time.Now().String()}
	return ctrl.Result{}, store(ctx, &remembering{}, config)
}

func store(ctx context.Context, u kube.Updater, config *corev1.ConfigMap) error {
	return u.Update(ctx, config)
}
