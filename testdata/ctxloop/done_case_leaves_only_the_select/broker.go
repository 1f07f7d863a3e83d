// Package broker has a Done case that ends the select and not the loop around
// it: break means the select, continue another round.
package broker

import (
	"context"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

type Admin interface {
	InSync(topic string) (bool, error)
}

type Reconciler struct {
	Admin Admin
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	r.awaitSync(ctx, req.Name)
	return ctrl.Result{}, r.awaitTopics(ctx, []string{req.Name, req.Name + "-dlq"})
}

func (r *Reconciler) awaitSync(ctx context.Context, topic string) {
	synced := false
	for !synced { // want "ctxloop: .*never observes"
		select {
		case <-ctx.Done():
			break
		case <-time.After(3 * time.Second):
			synced, _ = r.Admin.InSync(topic)
		}
	}
}

func (r *Reconciler) awaitTopics(ctx context.Context, topics []string) error {
	ticker := time.NewTicker(2 * time.Second)
	defer ticker.Stop()
	for len(topics) > 0 { // want "ctxloop: .*never observes"
		select {
		case <-ctx.Done():
			continue
		case <-ticker.C:
		}
		ok, err := r.Admin.InSync(topics[0])
		if err != nil {
			return err
		}
		if ok {
			topics = topics[1:]
		}
	}
	return nil
}
