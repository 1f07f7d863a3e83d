// Package fixture encodes the entries of a map, each by itself or all into one hash.
package fixture

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"regexp"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
)

var invalid = regexp.MustCompile("[^a-z0-9]")

// EachEntryByItself encodes what belongs to a key under that key.
type EachEntryByItself struct{ client.Client }

func (r *EachEntryByItself) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, cm, func() error {
		cm.Data = make(map[string]string)
		for key, value := range thing.Labels {
			cm.Data[key] = base64.StdEncoding.EncodeToString([]byte(invalid.ReplaceAllString(value, "-")))
		}
		return nil
	})
	return ctrl.Result{}, err
}

func (r *EachEntryByItself) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Watches(&corev1.ConfigMap{}, &handler.EnqueueRequestForObject{}).Complete(r)
}

// AllEntriesIntoOneHash hashes the entries in the order of the map.
type AllEntriesIntoOneHash struct{ client.Client }

func (r *AllEntriesIntoOneHash) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, cm, func() error {
		hash := sha256.New()
		for _, value := range thing.Labels { // want "unstablewrite: map order .*data"
			hash.Write([]byte(value))
		}
		cm.Data = map[string]string{"hash": hex.EncodeToString(hash.Sum(nil))}
		return nil
	})
	return ctrl.Result{}, err
}

func (r *AllEntriesIntoOneHash) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Watches(&corev1.ConfigMap{}, &handler.EnqueueRequestForObject{}).Complete(r)
}

// EachEntryByAHelper has a helper join what belongs to a key with a prefix, and with what
// the entry has.
type EachEntryByAHelper struct {
	client.Client
	Prefix string
}

func (r *EachEntryByAHelper) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, cm, func() error {
		accounts := make(map[string]account)
		for key, value := range thing.Labels {
			accounts[key] = account{Name: key, Word: value}
		}
		for key, a := range accounts {
			a.Login = joined(joined(r.Prefix, a.Name), a.Word)
			accounts[key] = a
		}
		text, err := json.Marshal(accounts)
		cm.Data = map[string]string{"accounts": string(text)}
		return err
	})
	return ctrl.Result{}, err
}

func (r *EachEntryByAHelper) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Watches(&corev1.ConfigMap{}, &handler.EnqueueRequestForObject{}).Complete(r)
}

type account struct{ Name, Word, Login string }

func joined(a, b string) string { return a + ":" + b }

// AllEntriesByAHelper has the helper join the entries with each other.
type AllEntriesByAHelper struct {
	client.Client
	Prefix string
}

func (r *AllEntriesByAHelper) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	thing := &thingapi.Thing{}
	if err := r.Get(ctx, req.NamespacedName, thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: req.Name, Namespace: req.Namespace}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, cm, func() error {
		all := account{Login: r.Prefix}
		for _, value := range thing.Labels { // want "unstablewrite: map order .*data"
			all.Login = joined(all.Login, value)
		}
		cm.Data = map[string]string{"all": all.Login}
		return nil
	})
	return ctrl.Result{}, err
}

func (r *AllEntriesByAHelper) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Watches(&corev1.ConfigMap{}, &handler.EnqueueRequestForObject{}).Complete(r)
}
