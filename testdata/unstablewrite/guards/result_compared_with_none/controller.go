// Package controller compares the result of a step with an empty one, and returns
// early if they differ.
package controller

import (
	"context"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// WaitsForASecret concatenates the values of a secret once that is there.
type WaitsForASecret struct {
	client.Client
}

func (r *WaitsForASecret) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	source := &corev1.Secret{}
	result, err := r.wait(ctx, client.ObjectKey{Namespace: req.Namespace, Name: thing.Spec.SecretRef}, source)
	if err != nil {
		return result, err
	} else if (result != ctrl.Result{}) {
		return result, nil
	}
	all := ""
	for _, value := range source.Data { // want "unstablewrite: map order reaches Secret data"
		all += string(value) + "\n"
	}
	target := &corev1.Secret{}
	target.Namespace, target.Name = req.Namespace, req.Name
	_, err = controllerutil.CreateOrUpdate(ctx, r.Client, target, func() error {
		target.Data = map[string][]byte{"all": []byte(all)}
		return controllerutil.SetControllerReference(&thing, target, r.Scheme())
	})
	return ctrl.Result{}, err
}

func (r *WaitsForASecret) wait(ctx context.Context, key client.ObjectKey, secret *corev1.Secret) (ctrl.Result, error) {
	if err := r.Get(ctx, key, secret); err != nil {
		if client.IgnoreNotFound(err) == nil {
			return ctrl.Result{RequeueAfter: 10 * time.Second}, nil
		}
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, nil
}

// StampsOnce returns early where a time is stored.
type StampsOnce struct {
	client.Client
}

func (r *StampsOnce) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if result := stamped(&thing); result != (ctrl.Result{}) {
		return result, nil
	}
	if thing.Annotations == nil {
		thing.Annotations = make(map[string]string)
	}
	thing.Annotations["things.example.com/began-at"] = time.Now().Format(time.RFC3339)
	return ctrl.Result{}, r.Update(ctx, &thing)
}

func stamped(thing *thingapi.Thing) ctrl.Result {
	if thing.Annotations["things.example.com/began-at"] != "" {
		return ctrl.Result{RequeueAfter: time.Hour}
	}
	return ctrl.Result{}
}
