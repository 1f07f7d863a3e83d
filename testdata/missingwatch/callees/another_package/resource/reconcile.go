// Package resource creates and updates objects of any kind.
package resource

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// Params says what is wanted, and whose it is.
type Params struct {
	Context  context.Context
	Client   client.Client
	Scheme   *runtime.Scheme
	Owner    client.Object
	Expected client.Object
}

// Reconcile creates what is expected, or replaces what is there instead.
func Reconcile(p Params) error {
	if err := controllerutil.SetControllerReference(p.Owner, p.Expected, p.Scheme); err != nil {
		return err
	}
	err := p.Client.Create(p.Context, p.Expected)
	if apierrors.IsAlreadyExists(err) {
		return p.Client.Update(p.Context, p.Expected)
	}
	return err
}
