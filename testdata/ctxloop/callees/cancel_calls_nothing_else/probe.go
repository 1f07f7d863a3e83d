// Package probe calls a cancel function, and has other functions of its type
// that only ever run where there is no context.
package probe

import (
	"context"
	"time"
)

type hook struct {
	name string
	run  func()
}

// Hooks are run by the program that prepares the machine.
func Hooks(ready func() bool) []hook {
	return []hook{{name: "ready", run: func() {
		for !ready() {
			time.Sleep(10 * time.Second)
		}
	}}}
}

// Probe asks with a time limit.
func Probe(ctx context.Context, ask func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	err := ask(ctx)
	cancel()
	return err
}
