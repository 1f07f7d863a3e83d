// Package controller writes through an interface of its own with one
// implementation.
package controller

import (
	"context"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type store interface {
	Save(ctx context.Context, obj client.Object) error
}

type clusterStore struct {
	client client.Client
}

func (s *clusterStore) Save(ctx context.Context, obj client.Object) error {
	return s.client.Update(ctx, obj)
}

type Reconciler struct {
	client.Client
	store store
}

func NewReconciler(c client.Client) *Reconciler {
	return &Reconciler{Client: c, store: &clusterStore{client: c}}
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var claim corev1.PersistentVolumeClaim
	if err := r.Get(ctx, req.NamespacedName, &claim); err != nil {
		return ctrl.Result{}, err
	}
	var zones []string
	for zone := range thing.Spec.Labels { // want "unstablewrite: map order .*PersistentVolumeClaim"
		zones = append(zones, zone)
	}
	metav1.SetMetaDataAnnotation(&claim.ObjectMeta, "things.example.com/zones", strings.Join(zones, ";"))
	return ctrl.Result{}, r.store.Save(ctx, &claim)
}
