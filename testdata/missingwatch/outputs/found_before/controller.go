// Package fixture calls CreateOrUpdate for objects that are there.
package fixture

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

func label(obj client.Object) controllerutil.MutateFn {
	return func() error {
		obj.SetLabels(map[string]string{"seen": "true"})
		return nil
	}
}

// Updates labels what others have made.
type Updates struct{ client.Client }

// Reconcile creates nothing: the ConfigMap was found, and the Secrets were listed.
func (r *Updates) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	config := &corev1.ConfigMap{}
	if err := r.Get(ctx, req.NamespacedName, config); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if _, err := controllerutil.CreateOrUpdate(ctx, r.Client, config, label(config)); err != nil {
		return ctrl.Result{}, err
	}
	secrets := &corev1.SecretList{}
	if err := r.List(ctx, secrets); err != nil {
		return ctrl.Result{}, err
	}
	for i := range secrets.Items {
		secret := &secrets.Items[i]
		if _, err := controllerutil.CreateOrUpdate(ctx, r.Client, secret, label(secret)); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

// SetupWithManager registers the reconciler.
func (r *Updates) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Complete(r)
}

// Creates makes what it does not find.
type Creates struct{ client.Client }

// Reconcile creates the ConfigMap, and a Secret beside each.
func (r *Creates) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	config := &corev1.ConfigMap{}
	if err := r.Get(ctx, req.NamespacedName, config); client.IgnoreNotFound(err) != nil {
		return ctrl.Result{}, err
	}
	config.Name, config.Namespace = req.Name, req.Namespace
	if _, err := controllerutil.CreateOrUpdate(ctx, r.Client, config, label(config)); err != nil {
		return ctrl.Result{}, err
	}
	secrets := &corev1.SecretList{}
	if err := r.List(ctx, secrets); err != nil {
		return ctrl.Result{}, err
	}
	for i := range secrets.Items {
		secret := secrets.Items[i].DeepCopy()
		secret.Name += "-copy"
		if _, err := controllerutil.CreateOrUpdate(ctx, r.Client, secret, label(secret)); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

// SetupWithManager registers the reconciler.
func (r *Creates) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Complete(r) // want "missingwatch: .*ConfigMap" "missingwatch: .*Secret"
}

// ensure creates the object unless it is there.
func ensure(ctx context.Context, c client.Client, obj client.Object) error {
	err := c.Get(ctx, client.ObjectKeyFromObject(obj), obj)
	if apierrors.IsNotFound(err) {
		return c.Create(ctx, obj)
	}
	return err
}

// Ensures passes what it has found to a helper.
type Ensures struct{ client.Client }

// Reconcile creates nothing: the helper only reads the ConfigMap again.
func (r *Ensures) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	config := &corev1.ConfigMap{}
	if err := r.Get(ctx, req.NamespacedName, config); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	return ctrl.Result{}, ensure(ctx, r.Client, config)
}

// SetupWithManager registers the reconciler.
func (r *Ensures) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Complete(r)
}

// Copies passes copies of what it has found to a helper.
type Copies struct{ client.Client }

// Reconcile creates a ConfigMap with another name, and a Secret in another namespace.
func (r *Copies) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	config := &corev1.ConfigMap{}
	if err := r.Get(ctx, req.NamespacedName, config); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	config.Name, config.ResourceVersion = config.Name+"-copy", ""
	if err := ensure(ctx, r.Client, config); err != nil {
		return ctrl.Result{}, err
	}
	secret := &corev1.Secret{}
	if err := r.Get(ctx, req.NamespacedName, secret); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	secret.Namespace = "copies"
	secret.ResourceVersion = ""
	return ctrl.Result{}, ensure(ctx, r.Client, secret)
}

// SetupWithManager registers the reconciler.
func (r *Copies) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Complete(r) // want "missingwatch: .*ConfigMap" "missingwatch: .*Secret"
}
