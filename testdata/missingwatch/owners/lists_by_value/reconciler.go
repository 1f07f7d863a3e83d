// Package fixture builds lists of objects by value, and creates those that are
// missing.
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

// Reconciler makes ConfigMaps and Secrets with a controller reference, and Services
// without one.
type Reconciler struct {
	client.Client
	Scheme *runtime.Scheme
}

// Reconcile creates what is missing.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	configs, err := r.configs(thing)
	if err != nil {
		return ctrl.Result{}, err
	}
	for _, config := range missing(configs, nil, func(a, b corev1.ConfigMap) bool { return a.Name == b.Name }) {
		if err := r.Create(ctx, &config); client.IgnoreAlreadyExists(err) != nil {
			return ctrl.Result{}, err
		}
	}
	if err := r.applySecret(ctx, thing); err != nil {
		return ctrl.Result{}, err
	}
	var services []corev1.Service
	for name := range thing.Spec.Config {
		services = append(services, corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: thing.Namespace}})
	}
	for _, service := range missing(services, nil, func(a, b corev1.Service) bool { return a.Name == b.Name }) {
		if err := r.Create(ctx, &service); client.IgnoreAlreadyExists(err) != nil { // want "missingwatch: .*Service.*controller reference"
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

func (r *Reconciler) configs(thing *thingapi.Thing) ([]corev1.ConfigMap, error) {
	var all []corev1.ConfigMap
	for name, text := range thing.Spec.Config {
		config := corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: thing.Namespace},
			Data:       map[string]string{"text": text},
		}
		if err := controllerutil.SetControllerReference(thing, &config, r.Scheme); err != nil {
			return nil, err
		}
		all = append(all, config)
	}
	return all, nil
}

// applySecret writes a Secret that gets the metadata of another one.
func (r *Reconciler) applySecret(ctx context.Context, thing *thingapi.Thing) error {
	desired := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	if err := controllerutil.SetControllerReference(thing, desired, r.Scheme); err != nil {
		return err
	}
	secret := &corev1.Secret{ObjectMeta: desired.ObjectMeta}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, secret, func() error {
		secret.StringData = thing.Spec.Config
		return nil
	})
	return err
}

// missing returns the items of want that have does not have.
func missing[T any](want, have []T, same func(T, T) bool) []T {
	var out []T
	for _, w := range want {
		found := false
		for _, h := range have {
			if same(w, h) {
				found = true
			}
		}
		if !found {
			out = append(out, w)
		}
	}
	return out
}

// SetupWithManager registers the reconciler.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		For(&thingapi.Thing{}).
		Owns(&corev1.ConfigMap{}).
		Owns(&corev1.Secret{}).
		Owns(&corev1.Service{}).
		Complete(r)
}
