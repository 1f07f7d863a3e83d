// Package maintenance switches the maintenance off again in a deferred call.
package maintenance

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type Database struct {
	client.Client
	Ready func(ctx context.Context) bool
}

func (d *Database) Upgrade(ctx context.Context, configMap *corev1.ConfigMap) error {
	if err := d.maintain(ctx, configMap, true); err != nil {
		return err
	}
	defer d.maintain(ctx, configMap, false) // want "deadcleanup: Database.maintain .Writer.Update, maintenance.go:.*. has no effect once ctx has ended the wait"
	for !d.Ready(ctx) {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(5 * time.Second):
		}
	}
	return nil
}

func (d *Database) maintain(ctx context.Context, configMap *corev1.ConfigMap, on bool) error {
	configMap.Data["maintenance"] = "off"
	if on {
		configMap.Data["maintenance"] = "on"
	}
	return d.Update(ctx, configMap)
}
