// Package command reports progress while a goroutine works that is bound to the
// context, and whose result ends the loop.
package command

import (
	"context"
	"log"
	"os/exec"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
)

type Reconciler struct {
	Binary string
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	result := make(chan error, 1)
	go func() {
		result <- exec.CommandContext(ctx, r.Binary, req.Name).Run()
	}()
	ticker := time.NewTicker(30 * time.Second)
	defer ticker.Stop()
	for {
		select {
		case err := <-result:
			return ctrl.Result{}, err
		case <-ticker.C:
			log.Printf("%s is still running", req.Name)
		}
	}
}
