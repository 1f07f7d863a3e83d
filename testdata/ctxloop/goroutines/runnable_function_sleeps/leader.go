// Package leader hands the manager a function whose loop ignores the context
// that the manager gives it.
package leader

import (
	"context"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

type Probe struct {
	Interval time.Duration
	Check    func() error
}

func (p *Probe) AddTo(mgr ctrl.Manager) error {
	return mgr.Add(manager.RunnableFunc(func(context.Context) error {
		for { // want "ctxloop: .*never observes"
			if err := p.Check(); err != nil {
				return err
			}
			time.Sleep(p.Interval)
		}
	}))
}
