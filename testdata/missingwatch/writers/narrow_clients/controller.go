// Package fixture writes through a part of a client.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// NamespacedClientWritesLikeItsInnerClient narrows the manager's client to one
// namespace before it writes. It is still the same cluster.
type NamespacedClientWritesLikeItsInnerClient struct {
	client.Client
	Scheme *runtime.Scheme
}

func (r *NamespacedClientWritesLikeItsInnerClient) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}

	c := client.NewNamespacedClient(client.WithFieldOwner(r.Client, "thing-controller"), thing.Namespace)
	config := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: thing.Name}, Data: thing.Spec.Config}
	config.Namespace = thing.Namespace
	if err := controllerutil.SetControllerReference(thing, config, r.Scheme); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, client.IgnoreAlreadyExists(c.Create(ctx, config))
}

func (r *NamespacedClientWritesLikeItsInnerClient) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Complete(r) // want "missingwatch: .*ConfigMap"
}

// ReaderAndWriterAreSeparateFields reads and writes through two interfaces,
// each only a part of a client.
type ReaderAndWriterAreSeparateFields struct {
	reader client.Reader
	writer client.Writer
	scheme *runtime.Scheme
}

func (r *ReaderAndWriterAreSeparateFields) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.reader.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var config corev1.ConfigMap
	config.Name = thing.Name + "-config"
	config.Namespace = thing.Namespace
	config.Data = thing.Spec.Config
	if err := controllerutil.SetControllerReference(&thing, &config, r.scheme); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.writer.Create(ctx, &config); client.IgnoreAlreadyExists(err) != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, nil
}

func (r *ReaderAndWriterAreSeparateFields) SetupWithManager(mgr ctrl.Manager) error {
	r.reader, r.writer, r.scheme = mgr.GetClient(), mgr.GetClient(), mgr.GetScheme()
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.Secret{}).
		Complete(r) // want "missingwatch: .*ConfigMap"
}
