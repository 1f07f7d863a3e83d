package main_test

import "testing"

// TestStartedByMain starts one loop in main, where it runs as long as the process, and
// one in a function that a reconcile calls too.
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
	sync.ReconcileAll(ctx)
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
)

func ReconcileAll(ctx context.Context) { Await(ctx) }

func Await(ctx context.Context) {
	for {
		time.Sleep(time.Minute)
		println("alive")
	}
}
`)
	operatorvet(t, dir, "./...").want(t, 3, "sync/sync.go:11")
	operatorvet(t, dir, "./metrics").want(t, 3, "metrics/metrics.go:9")
}
