package main_test

import "testing"

// TestRunning has a loop that a reconcile reaches behind an interface of another package,
// and one that only the start of the program reaches.
func TestRunning(t *testing.T) {
	t.Parallel()
	dir := tree(t, `
-- main.go --
package main

import (
	"context"

	"example.com/m/drain"
	"example.com/m/nodes"
)

func main() {
	ctx := context.Background()
	n := new(nodes.Nodes)
	n.Find(ctx)
	new(drain.Reconciler).SetUp(n)
}
-- drain/drain.go --
package drain

import "context"

type Nodes interface{ Empty(ctx context.Context) }

type Reconciler struct{ nodes Nodes }

func (r *Reconciler) SetUp(n Nodes) { r.nodes = n }

func (r *Reconciler) ReconcileNodes(ctx context.Context) error {
	r.nodes.Empty(ctx)
	return nil
}
-- nodes/nodes.go --
package nodes

import (
	"context"
	"time"
)

type Nodes struct{ pods int }

func (n *Nodes) Find(ctx context.Context) {
	for n.pods == 0 {
		time.Sleep(time.Minute)
	}
}

func (n *Nodes) Empty(ctx context.Context) {
	for n.pods > 0 {
		time.Sleep(time.Minute)
	}
}
`)
	operatorvet(t, dir, "./...").want(t, 3, "nodes/nodes.go:17")
}

// TestEndlessContext has loops of which nobody knows when they run, since a reconcile calls
// methods of the same names. One of them gets a context that ends.
func TestEndlessContext(t *testing.T) {
	t.Parallel()
	dir := tree(t, `
-- main.go --
package main

import (
	"context"
	"os/signal"
	"syscall"

	"example.com/m/drain"
	"example.com/m/nodes"
)

func main() {
	n := new(nodes.Nodes)
	n.Fill(context.Background())
	n.Count(context.TODO())
	stopped, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	n.Empty(stopped)
	new(drain.Reconciler).SetUp()
}
-- drain/drain.go --
package drain

import "context"

type cache map[string]int

func (c cache) Fill()  {}
func (c cache) Count() {}
func (c cache) Empty() {}

type Reconciler struct{ cache cache }

func (r *Reconciler) SetUp() {}

func (r *Reconciler) ReconcileNodes(ctx context.Context) error {
	r.cache.Fill()
	r.cache.Count()
	r.cache.Empty()
	return nil
}
-- nodes/nodes.go --
package nodes

import (
	"context"
	"time"
)

type Nodes struct{ pods int }

func (n *Nodes) Fill(ctx context.Context) {
	for n.pods == 0 {
		time.Sleep(time.Minute)
	}
}

func (n *Nodes) Empty(ctx context.Context) {
	for n.pods > 0 {
		time.Sleep(time.Minute)
	}
}

func (n *Nodes) Count(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for ctx.Value(n) == nil {
		time.Sleep(time.Minute)
	}
}
`)
	operatorvet(t, dir, "./...").want(t, 3, "nodes/nodes.go:17 nodes/nodes.go:25")
}
