// Package controller makes a value for an object that is not there yet.
package controller

import (
	"context"
	"time"

	"github.com/google/uuid"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	utilrand "k8s.io/apimachinery/pkg/util/rand"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// CreatedWhenAGetSaysNotFoundFirst handles the error of the Get inside out; the
// random value is only made for an object that is not there.
type CreatedWhenAGetSaysNotFoundFirst struct {
	client.Client
}

func (r *CreatedWhenAGetSaysNotFoundFirst) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	secret := &corev1.Secret{}
	if err := r.Get(ctx, req.NamespacedName, secret); err != nil {
		if !apierrors.IsNotFound(err) {
			return ctrl.Result{}, err
		}
		return ctrl.Result{}, r.createSecret(ctx, req)
	}
	metav1.SetMetaDataLabel(&secret.ObjectMeta, "app", req.Name)
	return ctrl.Result{}, r.Update(ctx, secret)
}

func (r *CreatedWhenAGetSaysNotFoundFirst) createSecret(ctx context.Context, req ctrl.Request) error {
	return r.Create(ctx, &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace},
		Data:       map[string][]byte{"id": []byte(uuid.NewString()), "made": []byte(time.Now().String())},
	})
}

// FilledWhileTheObjectHasNoUID fills in a random cookie while the object has no
// UID, which the server gives it when it is created.
type FilledWhileTheObjectHasNoUID struct {
	client.Client
}

func (r *FilledWhileTheObjectHasNoUID) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, secret, func() error {
		if secret.UID == "" {
			secret.StringData = map[string]string{"cookie": utilrand.String(20)}
		}
		metav1.SetMetaDataLabel(&secret.ObjectMeta, "app", req.Name)
		return nil
	})
	return ctrl.Result{}, err
}

// TokenSetWhileTheObjectIsNotYetCreated sets a random value in the mutate
// function only while the object has no creation timestamp.
type TokenSetWhileTheObjectIsNotYetCreated struct {
	client.Client
}

func (r *TokenSetWhileTheObjectIsNotYetCreated) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}}
	_, err := controllerutil.CreateOrPatch(ctx, r.Client, secret, func() error {
		if secret.CreationTimestamp.IsZero() {
			secret.StringData = map[string]string{"token": uuid.NewString()}
		}
		secret.Type = corev1.SecretTypeOpaque
		return nil
	})
	return ctrl.Result{}, err
}

// StoredSecretLookedUpByAHelper looks for a stored Secret by a helper that
// returns nil where there is none, and draws a password only then.
type StoredSecretLookedUpByAHelper struct {
	client.Client
}

func (r *StoredSecretLookedUpByAHelper) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	stored, err := r.find(ctx, req.NamespacedName)
	if err != nil {
		return ctrl.Result{}, err
	}
	var password string
	if stored == nil {
		password = utilrand.String(16)
	} else {
		password = string(stored.Data["password"])
	}
	secret := &corev1.Secret{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Secret"},
		ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace},
		Data:       map[string][]byte{"password": []byte(password)},
	}
	return ctrl.Result{}, r.Patch(ctx, secret, client.Apply, client.FieldOwner("thing"), client.ForceOwnership)
}

func (r *StoredSecretLookedUpByAHelper) find(ctx context.Context, key types.NamespacedName) (*corev1.Secret, error) {
	secret := &corev1.Secret{}
	err := r.Get(ctx, key, secret)
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	return secret, err
}

// AbsenceTestedOnAFreshObject asks a freshly built object whether it has a
// token: it never has.
type AbsenceTestedOnAFreshObject struct {
	client.Client
}

func (r *AbsenceTestedOnAFreshObject) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	secret := &corev1.Secret{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Secret"},
		ObjectMeta: metav1.ObjectMeta{Name: req.Name + "-token", Namespace: req.Namespace},
	}
	if len(secret.Data["token"]) == 0 {
		secret.Data = map[string][]byte{"token": []byte(uuid.NewString())} // want "unstablewrite: uuid\\.NewString .*Secret"
	}
	return ctrl.Result{}, r.Patch(ctx, secret, client.Apply, client.FieldOwner("thing"), client.ForceOwnership)
}
