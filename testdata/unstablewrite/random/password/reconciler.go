// Package controller draws passwords.
package controller

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"math/big"
	"strings"

	"github.com/google/uuid"
	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilrand "k8s.io/apimachinery/pkg/util/rand"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// PasswordGeneratedOnlyWhereMissing draws a password only when the live Secret
// has none.
type PasswordGeneratedOnlyWhereMissing struct {
	client.Client
}

func (r *PasswordGeneratedOnlyWhereMissing) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: req.Name + "-admin", Namespace: req.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, secret, func() error {
		if secret.Data == nil {
			secret.Data = make(map[string][]byte)
		}
		secret.Data["username"] = []byte("admin")
		if len(secret.Data["password"]) == 0 {
			secret.Data["password"] = []byte(utilrand.String(32))
		}
		return nil
	})
	return ctrl.Result{}, err
}

// PasswordsMadeForMissingKeysOnly walks over the keys that a Secret must have
// and fills those that it lacks.
type PasswordsMadeForMissingKeysOnly struct {
	client.Client
}

var required = []string{"admin", "replication", "monitor"}

func (r *PasswordsMadeForMissingKeysOnly) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}}
	_, err := controllerutil.CreateOrPatch(ctx, r.Client, secret, func() error {
		if secret.Data == nil {
			secret.Data = make(map[string][]byte)
		}
		for _, user := range required {
			if len(secret.Data[user]) > 0 {
				continue
			}
			secret.Data[user] = []byte(rand.Text())
		}
		return nil
	})
	return ctrl.Result{}, err
}

// GeneratedValueDefaultsAnEmptyField defaults an empty string by a function
// that takes the old value.
type GeneratedValueDefaultsAnEmptyField struct {
	client.Client
}

func (r *GeneratedValueDefaultsAnEmptyField) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	thing.Status.Hash = orRandom(thing.Status.Hash)
	return ctrl.Result{}, r.Status().Update(ctx, &thing)
}

func orRandom(value string) string {
	if value == "" {
		value = uuid.NewString()
	}
	return value
}

// PasswordRegeneratedOnEachReconcile draws a new password in the mutate
// function: nobody can log in with the one that was handed out a minute ago.
type PasswordRegeneratedOnEachReconcile struct {
	client.Client
}

func (r *PasswordRegeneratedOnEachReconcile) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: thing.Spec.SecretRef, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, secret, func() error {
		password, err := generatePassword(24)
		if err != nil {
			return err
		}
		secret.Data = map[string][]byte{"username": []byte("admin"), "password": []byte(password)}
		return nil
	})
	return ctrl.Result{}, err
}

func generatePassword(n int) (string, error) {
	raw := make([]byte, n)
	if _, err := rand.Read(raw); err != nil { // want "unstablewrite: rand\\.Read .*Secret"
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(raw), nil
}

// PasswordOfRandomLetters draws letters one by one for a password that it
// stores on each pass.
type PasswordOfRandomLetters struct {
	client.Client
}

const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789"

func password(n int) (string, error) {
	var b strings.Builder
	for range n {
		i, err := rand.Int(rand.Reader, big.NewInt(int64(len(alphabet)))) // want "unstablewrite: rand\\.Int .*Secret"
		if err != nil {
			return "", err
		}
		b.WriteByte(alphabet[i.Int64()])
	}
	return b.String(), nil
}

func (r *PasswordOfRandomLetters) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	secret := &corev1.Secret{}
	if err := r.Get(ctx, req.NamespacedName, secret); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	word, err := password(16)
	if err != nil {
		return ctrl.Result{}, err
	}
	secret.StringData = map[string]string{"password": word}
	return ctrl.Result{}, r.Update(ctx, secret)
}
