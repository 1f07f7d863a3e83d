// Package fanout starts goroutines in its loops, each of which waits once: the
// loops themselves do not wait.
package fanout

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	ctrl "sigs.k8s.io/controller-runtime"
)

type Reconciler struct {
	Nodes  func(cluster string) []string
	Notify func(node string)
}

func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	for i, node := range r.Nodes(req.Name) {
		go func() {
			time.Sleep(time.Duration(i) * time.Second)
			r.Notify(node)
		}()
	}
	var wg sync.WaitGroup
	for _, node := range r.Nodes(req.Name) {
		wg.Go(func() { r.later(node) })
	}
	wg.Wait()
	var g errgroup.Group
	for _, node := range r.Nodes(req.Name) {
		g.Go(func() error {
			<-time.After(2 * time.Second)
			r.Notify(node)
			return nil
		})
	}
	return ctrl.Result{}, g.Wait()
}

func (r *Reconciler) later(node string) {
	time.Sleep(3 * time.Second)
	r.Notify(node)
}
