// Package addon installs add-ons while its controllers run: there the same wait
// holds a worker.
package addon

import (
	"context"
	"errors"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/operatorvet/operatorvet/testdata/ctxloop/startup/start_up_waits_for_definitions_and_port/prepare"
)

type Reconciler struct {
	client.Client
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	if err := prepare.All(ctx, r.Client, req.Name); err != nil { // want "ctxloop: .*never observes"
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.await(ctx, req.Name)
}

func (r *Reconciler) await(ctx context.Context, name string) error {
	for range 60 { // want "ctxloop: .*never observes"
		if r.Get(ctx, client.ObjectKey{Name: name}, new(apiextensionsv1.CustomResourceDefinition)) == nil {
			return nil
		}
		time.Sleep(5 * time.Second)
	}
	return errors.New("no definition")
}
