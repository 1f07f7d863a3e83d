// Package controller writes through helpers of another package.
package controller

import (
	"context"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"github.com/operatorvet/operatorvet/testdata/unstablewrite/writers/helpers_of_another_package/kube"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// WrittenByAHelperThatTakesACallback changes the object in a callback of a
// helper that lives in another package and does the update.
type WrittenByAHelperThatTakesACallback struct {
	client.Client
}

func (r *WrittenByAHelperThatTakesACallback) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	cm := &corev1.ConfigMap{}
	cm.Name, cm.Namespace = thing.Name, thing.Namespace
	return ctrl.Result{}, kube.Modify(ctx, r.Client, cm, func() {
		var names []string
		for name := range thing.Spec.Config { // want "unstablewrite: map order .*ConfigMap"
			names = append(names, name)
		}
		cm.Data = map[string]string{"plugins": strings.Join(names, " ")}
	})
}

// WrittenByAnUpsertHelperOfAnotherPackage hands a shuffled list to a helper of
// another package that applies whatever object it is given.
type WrittenByAnUpsertHelperOfAnotherPackage struct {
	client.Client
}

func (r *WrittenByAnUpsertHelperOfAnotherPackage) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	for name := range thing.Spec.Config { // want "unstablewrite: map order .*ServiceAccount"
		account.ImagePullSecrets = append(account.ImagePullSecrets, corev1.LocalObjectReference{Name: name})
	}
	return ctrl.Result{}, kube.Upsert(ctx, r.Client, account)
}
