// Package steps takes the steps of objects, one at a time.
package steps

import (
	"context"
	"time"

	"github.com/operatorvet/operatorvet/testdata/ctxloop/goroutines/nobody_waits_for_task/pool"
)

// A Manager knows the steps of an object. Only the controllers' package makes one of a
// type of this package.
type Manager interface {
	Step(name string) func() error
	Check() func() error
}

// A Coordinator takes the steps of its manager.
type Coordinator struct {
	Manager Manager
	Pool    *pool.Pool
}

// Advance hands the step to the pool, and checks the object itself.
func (c *Coordinator) Advance(name string) error {
	c.Pool.Submit(name, c.Manager.Step(name))
	check := c.Manager.Check()
	return check()
}

// A Cluster is a manager.
type Cluster struct {
	Ctx   context.Context
	ready func() bool
}

// Step implements Manager.
func (c *Cluster) Step(name string) func() error {
	if name == "join" {
		return c.join
	}
	return nil
}

func (c *Cluster) join() error {
	for range 100 {
		if c.ready() {
			break
		}
		time.Sleep(10 * time.Second)
	}
	return nil
}

// Check implements Manager.
func (c *Cluster) Check() func() error { return c.check }

func (c *Cluster) check() error {
	for range 100 { // want "ctxloop: .*never observes"
		if c.ready() {
			break
		}
		time.Sleep(10 * time.Second)
	}
	return nil
}
