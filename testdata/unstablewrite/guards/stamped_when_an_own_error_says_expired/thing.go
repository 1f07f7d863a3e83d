// Package controller stamps a Thing when a check returns an error of its own
// that says so. An error of the API server says nothing of the kind.
package controller

import (
	"context"
	"errors"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

// Expired says that a certificate has expired.
type Expired struct{ Name string }

func (e *Expired) Error() string { return e.Name + " has expired" }

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var expired *Expired
	switch err := r.check(ctx, req); {
	case errors.As(err, &expired):
		log.FromContext(ctx).Info("expired", "name", expired.Name)
	case err != nil:
		return ctrl.Result{}, err
	default:
		return ctrl.Result{RequeueAfter: time.Hour}, nil
	}
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, err
	}
	thing.Annotations["rotate-at"] = time.Now().Format(time.RFC3339)
	return ctrl.Result{RequeueAfter: time.Hour}, r.Update(ctx, &thing)
}

func (r *Reconciler) check(ctx context.Context, req ctrl.Request) error {
	var secret corev1.Secret
	if err := r.Get(ctx, req.NamespacedName, &secret); err != nil {
		return err
	}
	end, err := time.Parse(time.RFC3339, secret.Annotations["end"])
	if err != nil {
		return err
	}
	if time.Now().After(end) {
		return &Expired{secret.Name}
	}
	return nil
}

// Marker stamps whatever the API server refuses, again and again.
type Marker struct {
	client.Client
}

func (r *Marker) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	if err := r.Get(ctx, req.NamespacedName, &thing); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var refused *apierrors.StatusError
	if err := r.Create(ctx, &corev1.Pod{}); errors.As(err, &refused) {
		thing.Annotations["refused-at"] = time.Now().Format(time.RFC3339) // want "unstablewrite: time.Now reaches Thing metadata.annotations"
		return ctrl.Result{}, r.Update(ctx, &thing)
	}
	return ctrl.Result{}, nil
}
