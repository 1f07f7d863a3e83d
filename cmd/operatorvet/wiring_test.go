package main_test

import "testing"

// TestStartedByMain starts one loop in main, where it runs as long as the process, and
// one in a function that another package calls too.
func TestStartedByMain(t *testing.T) {
	t.Parallel()
	dir := tree(t, `
-- main.go --
package main

import (
	"context"
	"os"
	"os/signal"

	"example.com/m/metrics"
	"example.com/m/sync"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	go metrics.Report(ctx)
	go sync.Await(ctx)
	sync.Start(ctx)
}
-- metrics/metrics.go --
package metrics

import (
	"context"
	"time"
)

func Report(ctx context.Context) {
	for {
		time.Sleep(time.Minute)
		println("alive")
	}
}
-- sync/sync.go --
package sync

import (
	"context"
	"time"

	"example.com/m/wait"
)

func Start(ctx context.Context) { wait.Await(ctx) }

func Await(ctx context.Context) {
	for {
		time.Sleep(time.Minute)
		println("alive")
	}
}
-- wait/wait.go --
package wait

import "context"

func Await(ctx context.Context) { <-ctx.Done() }
`)
	operatorvet(t, dir, "./...").want(t, 3, "sync/sync.go:13")
	operatorvet(t, dir, "./metrics").want(t, 3, "metrics/metrics.go:9")
}
