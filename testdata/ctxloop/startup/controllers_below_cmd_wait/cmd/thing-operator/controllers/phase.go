// Package controllers lies below the folder of its operator's command.
package controllers

import (
	"context"
	"errors"
	"time"
)

// AwaitPhase waits for the phase.
func AwaitPhase(ctx context.Context, phase func(context.Context) string, want string) error {
	for range 60 { // want "ctxloop: .*never observes"
		if phase(ctx) == want {
			return nil
		}
		time.Sleep(time.Second)
	}
	return errors.New("no such phase")
}
