// Package controller makes slices of maps with samber/lo.
package controller

import (
	"context"
	"strings"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"github.com/samber/lo"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// LoKeysMappedToReferences maps lo.Keys to references: lo.Map keeps the order
// that it is given, and it is given the map's.
type LoKeysMappedToReferences struct {
	client.Client
}

func (r *LoKeysMappedToReferences) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	account := &corev1.ServiceAccount{}
	if err := r.Get(ctx, req.NamespacedName, account); err != nil {
		return ctrl.Result{}, err
	}
	account.Secrets = lo.Map(lo.Keys(thing.Spec.Config), func(name string, _ int) corev1.ObjectReference { // want "unstablewrite: (map order|lo\\.Keys) .*ServiceAccount"
		return corev1.ObjectReference{Name: name}
	})
	return ctrl.Result{}, r.Update(ctx, account)
}

// ValuesOfAMapJoinedByLo joins lo.Values of a map.
type ValuesOfAMapJoinedByLo struct {
	client.Client
}

func (r *ValuesOfAMapJoinedByLo) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var ingress networkingv1.Ingress
	if err := r.Get(ctx, req.NamespacedName, &ingress); err != nil {
		return ctrl.Result{}, err
	}
	cidrs := lo.Uniq(lo.Values(thing.Spec.Config)) // want "unstablewrite: (map order|lo\\.Values) .*Ingress"
	metav1.SetMetaDataAnnotation(&ingress.ObjectMeta, "whitelist-source-range", strings.Join(cidrs, ","))
	return ctrl.Result{}, r.Update(ctx, &ingress)
}

// SliceFromLoMapToSlice turns a map into container ports with lo.MapToSlice.
type SliceFromLoMapToSlice struct {
	client.Client
}

func (r *SliceFromLoMapToSlice) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	ds := &appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Name: thing.Name, Namespace: thing.Namespace}}
	_, err := controllerutil.CreateOrPatch(ctx, r.Client, ds, func() error {
		env := lo.MapToSlice(thing.Spec.Config, func(name, value string) corev1.EnvVar { // want "unstablewrite: (map order|lo\\.MapToSlice) .*DaemonSet"
			return corev1.EnvVar{Name: name, Value: value}
		})
		ds.Spec.Template.Spec.Containers = []corev1.Container{{Name: "agent", Image: thing.Spec.Image, Env: env}}
		return nil
	})
	return ctrl.Result{}, err
}
