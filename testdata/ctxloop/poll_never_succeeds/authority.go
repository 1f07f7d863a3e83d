// Package authority polls for as long as its context lives: the condition is
// never true, so there is no success that its end could be confused with.
package authority

import (
	"context"
	"errors"
	"log"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/cache"
)

type Authority struct {
	Synced cache.InformerSynced
	Ensure func(ctx context.Context) error
}

func (a *Authority) Run(ctx context.Context) error {
	if !cache.WaitForCacheSync(ctx.Done(), a.Synced) {
		if ctx.Err() != nil {
			return nil
		}
		return errors.New("cache does not sync")
	}
	err := wait.PollUntilContextCancel(ctx, 10*time.Second, true, func(ctx context.Context) (bool, error) {
		if err := a.Ensure(ctx); err != nil {
			log.Print(err)
		}
		return false, nil
	})
	if err != nil {
		if errors.Is(err, context.Canceled) {
			return nil
		}
		return err
	}
	return nil
}
