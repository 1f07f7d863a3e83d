// Package trial cleans up in a function of its own, which the context that ended
// the trial must not end, too.
package trial

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

type Trial struct {
	Run  func(ctx context.Context) error
	Gone func(ctx context.Context) bool
}

func (t *Trial) Do(ctx context.Context) error {
	err := t.Run(ctx)
	if cleanUpErr := t.cleanUp(); err == nil {
		err = cleanUpErr
	}
	return err
}

func (t *Trial) cleanUp() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return wait.PollUntilContextCancel(ctx, 2*time.Second, true, func(ctx context.Context) (bool, error) {
		return t.Gone(ctx), nil
	})
}
