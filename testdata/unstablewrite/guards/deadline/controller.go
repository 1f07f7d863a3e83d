// Package controller acts until a time has come that a user has set, or once in an
// interval.
package controller

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// A Lodging is what ends.
type Lodging struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Spec   LodgingSpec
	Status LodgingStatus
}

// LodgingSpec says how long a lodging lasts.
type LodgingSpec struct {
	Until    *metav1.Time
	Interval metav1.Duration
}

// LodgingStatus says when it was last seen.
type LodgingStatus struct {
	LastSeen metav1.Time
}

// DeepCopyObject implements runtime.Object.
func (l *Lodging) DeepCopyObject() runtime.Object { c := *l; return &c }

// SeenUntilItEnds notes the time in each reconcile, until the lodging ends.
type SeenUntilItEnds struct {
	client.Client
}

func (r *SeenUntilItEnds) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var lodging Lodging
	if err := r.Get(ctx, req.NamespacedName, &lodging); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if ended(&lodging, time.Now()) {
		return ctrl.Result{}, nil
	}
	lodging.Status.LastSeen = metav1.Now() // want "unstablewrite: metav1.Now reaches Lodging status.lastSeen"
	return ctrl.Result{}, r.Status().Update(ctx, &lodging)
}

func ended(lodging *Lodging, now time.Time) bool {
	return lodging.Spec.Until != nil && now.After(lodging.Spec.Until.Time)
}

// SeenOnceInAnInterval notes the time when the one that is stored is too old.
type SeenOnceInAnInterval struct {
	client.Client
}

func (r *SeenOnceInAnInterval) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var lodging Lodging
	if err := r.Get(ctx, req.NamespacedName, &lodging); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	due := lodging.Status.LastSeen.Add(lodging.Spec.Interval.Duration)
	if time.Now().Before(due) {
		return ctrl.Result{RequeueAfter: time.Until(due)}, nil
	}
	lodging.Status.LastSeen = metav1.Now()
	return ctrl.Result{}, r.Status().Update(ctx, &lodging)
}
