// Package fixture has controllers that another package calls with the keys of
// its workqueue.
package fixture

import (
	"context"
	"time"

	"github.com/operatorvet/operatorvet/testdata/unstablewrite/reconcilers/workqueue_loop_of_another_package/worker"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// BehindAnInterface is called through the interface of the worker.
type BehindAnInterface struct{ client.Client }

// Sync is called with each key.
func (c *BehindAnInterface) Sync(ctx context.Context, key string) error {
	config := &corev1.ConfigMap{}
	if err := c.Get(ctx, types.NamespacedName{Namespace: "things", Name: key}, config); err != nil {
		return err
	}
	config.Data = map[string]string{"synced": time.Now().String()} // want "unstablewrite: time.Now .*Update"
	return c.Update(ctx, config)
}

// Stopped is called once, at the end.
func (c *BehindAnInterface) Stopped(ctx context.Context, key string) error {
	config := &corev1.ConfigMap{}
	if err := c.Get(ctx, types.NamespacedName{Namespace: "things", Name: key}, config); err != nil {
		return err
	}
	config.Data = map[string]string{"stopped": time.Now().String()}
	return c.Update(ctx, config)
}

// Start runs the controller.
func (c *BehindAnInterface) Start(ctx context.Context) error { return worker.New(c).Run(ctx) }

// Registered passes its method to the worker.
type Registered struct{ client.Client }

func (c *Registered) handle(ctx context.Context, key string) error {
	config := &corev1.ConfigMap{}
	if err := c.Get(ctx, types.NamespacedName{Namespace: "things", Name: key}, config); err != nil {
		return err
	}
	config.Data = map[string]string{"synced": time.Now().String()} // want "unstablewrite: time.Now .*Update"
	return c.Update(ctx, config)
}

// Start runs the controller.
func (c *Registered) Start(ctx context.Context) error { return worker.Func(c.handle).Run(ctx) }

// CalledByAPerson has a method of the same form that no loop calls.
type CalledByAPerson struct{ client.Client }

// Sync is called when somebody presses a button.
func (c *CalledByAPerson) Sync(ctx context.Context, key string) error {
	config := &corev1.ConfigMap{}
	if err := c.Get(ctx, types.NamespacedName{Namespace: "things", Name: key}, config); err != nil {
		return err
	}
	config.Data = map[string]string{"synced": time.Now().String()}
	return c.Update(ctx, config)
}
