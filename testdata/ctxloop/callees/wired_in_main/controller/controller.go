// Package controller needs disks, wherever they come from.
package controller

import (
	"context"
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// An Awaiter waits for a disk.
type Awaiter interface{ Await(name string) }

// A Creator makes a disk.
type Creator interface {
	Create(ctx context.Context, name string) error
}

// Setup registers the controllers.
func Setup(mgr ctrl.Manager, a Awaiter, c Creator, sleep func(time.Duration)) error {
	for name, r := range map[string]interface {
		Reconcile(context.Context, ctrl.Request) (ctrl.Result, error)
	}{
		"waits":  &WaitsBehindAnInterface{Client: mgr.GetClient(), disks: a},
		"obeys":  &ObeysBehindAnInterface{Client: mgr.GetClient(), disks: c},
		"sleeps": &SleepsThroughAField{Client: mgr.GetClient(), sleep: sleep},
	} {
		if err := ctrl.NewControllerManagedBy(mgr).For(&thingapi.Thing{}).Named(name).Complete(r); err != nil {
			return err
		}
	}
	return nil
}

type WaitsBehindAnInterface struct {
	client.Client
	disks Awaiter
}

func (r *WaitsBehindAnInterface) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	r.disks.Await(req.Name) // want in the module "ctxloop: .*Await"
	return ctrl.Result{}, nil
}

type ObeysBehindAnInterface struct {
	client.Client
	disks Creator
}

func (r *ObeysBehindAnInterface) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, r.disks.Create(ctx, req.Name)
}

type SleepsThroughAField struct {
	client.Client
	sleep func(time.Duration)
}

func (r *SleepsThroughAField) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var thing thingapi.Thing
	for r.Get(ctx, req.NamespacedName, &thing) == nil { // want in the module "ctxloop: .*"
		r.sleep(time.Second)
	}
	return ctrl.Result{}, nil
}
