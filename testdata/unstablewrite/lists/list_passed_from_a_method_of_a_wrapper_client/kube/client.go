// Package kube wraps the client of controller-runtime.
package kube

import (
	"context"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Client reads Things and saves objects.
type Client struct {
	client client.Client
}

// New returns a Client.
func New(c client.Client) Client { return Client{client: c} }

// Thing reads a Thing.
func (c Client) Thing(ctx context.Context, key client.ObjectKey) (*thingapi.Thing, error) {
	thing := &thingapi.Thing{}
	return thing, c.client.Get(ctx, key, thing)
}

// Save writes obj.
func (c Client) Save(ctx context.Context, obj client.Object) error {
	return c.client.Update(ctx, obj)
}
