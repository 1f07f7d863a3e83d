// Package controller makes a key for each replica, in a map that replaces the stored one.
package controller

import (
	"context"
	"crypto/rand"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// StoredKeyOfEachReplicaIsKept takes over the keys that are stored, and drops those of
// replicas that are gone.
type StoredKeyOfEachReplicaIsKept struct {
	client.Client
	Replicas int
}

func (r *StoredKeyOfEachReplicaIsKept) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: req.Name + "-keys", Namespace: req.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, secret, func() error {
		keys := make(map[string][]byte)
		for i := range r.Replicas {
			name := fmt.Sprintf("replica-%d", i)
			if key, ok := secret.Data[name]; ok {
				keys[name] = key
			} else {
				keys[name] = []byte(rand.Text())
			}
		}
		secret.Data = keys
		return nil
	})
	return ctrl.Result{}, err
}

// KeyAskedForUnderItsOldName asks for an entry that the new map never has.
type KeyAskedForUnderItsOldName struct {
	client.Client
}

func (r *KeyAskedForUnderItsOldName) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: req.Name + "-key", Namespace: req.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, secret, func() error {
		keys := make(map[string][]byte)
		if key, ok := secret.Data["key"]; ok {
			keys["tls.key"] = key
		} else {
			keys["tls.key"] = []byte(rand.Text()) // want "unstablewrite: rand\\.Text .*Secret"
		}
		secret.Data = keys
		return nil
	})
	return ctrl.Result{}, err
}
