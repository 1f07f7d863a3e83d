// Package controller builds a desired Secret with a fresh value and brings it
// together with the stored one.
package controller

import (
	"context"
	"crypto/rand"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilrand "k8s.io/apimachinery/pkg/util/rand"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// DesiredTakesOverTheStoredPassword builds the desired Secret from the stored
// password, if there is one, and else from a new one.
type DesiredTakesOverTheStoredPassword struct {
	client.Client
}

func (r *DesiredTakesOverTheStoredPassword) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	existing := &corev1.Secret{}
	if err := r.Get(ctx, req.NamespacedName, existing); client.IgnoreNotFound(err) != nil {
		return ctrl.Result{}, err
	}
	password, found := existing.Data["password"]
	if !found {
		password = []byte(utilrand.String(24))
	}
	desired := corev1ac.Secret(req.Name, req.Namespace).
		WithData(map[string][]byte{"user": []byte("admin"), "password": password})
	return ctrl.Result{}, r.Apply(ctx, desired, client.FieldOwner("thing"), client.ForceOwnership)
}

// StoredPasswordPutOverTheFreshOne builds a desired Secret with a fresh
// password and puts the stored one over it before the update.
type StoredPasswordPutOverTheFreshOne struct {
	client.Client
}

func (r *StoredPasswordPutOverTheFreshOne) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	desired := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}}
	desired.Data = map[string][]byte{"password": []byte(utilrand.String(24))}

	existing := &corev1.Secret{}
	err := r.Get(ctx, client.ObjectKeyFromObject(desired), existing)
	if apierrors.IsNotFound(err) {
		return ctrl.Result{}, r.Create(ctx, desired)
	}
	if err != nil {
		return ctrl.Result{}, err
	}
	desired.Data["password"] = existing.Data["password"]
	desired.ResourceVersion = existing.ResourceVersion
	return ctrl.Result{}, r.Update(ctx, desired)
}

// RandomValueThatOnlyCreateSees builds the desired Secret with a fresh password
// and creates it; the update of an existing one takes over the labels only.
type RandomValueThatOnlyCreateSees struct {
	client.Client
}

func (r *RandomValueThatOnlyCreateSees) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	desired := desiredSecret(req.Name, req.Namespace)
	existing := &corev1.Secret{}
	err := r.Get(ctx, client.ObjectKeyFromObject(desired), existing)
	switch {
	case apierrors.IsNotFound(err):
		return ctrl.Result{}, r.Create(ctx, desired)
	case err != nil:
		return ctrl.Result{}, err
	}
	existing.Labels = desired.Labels
	return ctrl.Result{}, r.Update(ctx, existing)
}

func desiredSecret(name, namespace string) *corev1.Secret {
	return &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace, Labels: map[string]string{"app": name}},
		StringData: map[string]string{"password": utilrand.String(20)},
	}
}

// ValueSetBeforeCreateOrUpdateReadsTheObject sets random data before
// CreateOrUpdate, whose Get replaces it by what is stored: only the create
// branch sees it.
type ValueSetBeforeCreateOrUpdateReadsTheObject struct {
	client.Client
}

func (r *ValueSetBeforeCreateOrUpdateReadsTheObject) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	secret := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: thing.Spec.SecretRef, Namespace: thing.Namespace},
		Data:       map[string][]byte{"password": []byte(rand.Text())},
	}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, secret, func() error {
		return controllerutil.SetControllerReference(&thing, secret, r.Scheme())
	})
	return ctrl.Result{}, err
}

// PasswordInADesiredSecretThatUpdateSees creates the desired Secret or updates
// it: the update writes the password that was drawn for the creation.
type PasswordInADesiredSecretThatUpdateSees struct {
	client.Client
}

func (r *PasswordInADesiredSecretThatUpdateSees) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	desired := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: req.Name + "-admin", Namespace: req.Namespace},
		StringData: map[string]string{"user": "admin", "password": rand.Text()}, // want "unstablewrite: rand\\.Text .*Secret"
	}
	existing := &corev1.Secret{}
	if err := r.Get(ctx, client.ObjectKeyFromObject(desired), existing); err != nil {
		if apierrors.IsNotFound(err) {
			return ctrl.Result{}, r.Create(ctx, desired)
		}
		return ctrl.Result{}, err
	}
	desired.ResourceVersion = existing.ResourceVersion
	return ctrl.Result{}, r.Update(ctx, desired)
}
