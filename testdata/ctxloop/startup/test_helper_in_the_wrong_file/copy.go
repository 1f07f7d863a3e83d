// Package copier copies apps into Pods. A helper of its tests is in the wrong file.
package copier

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// Copier copies with two goroutines, and waits for both.
type Copier struct {
	Copied func() bool
	Yield  time.Duration
}

// Copy holds up its reconcile until the watcher gives up.
func (c *Copier) Copy(ctx context.Context) error {
	var group sync.WaitGroup
	group.Add(1)
	go c.watch(ctx, &group)
	group.Wait()
	return ctx.Err()
}

func (c *Copier) watch(ctx context.Context, group *sync.WaitGroup) {
	defer group.Done()
	enough := time.After(c.Yield)
	for { // want "ctxloop: .*never observes"
		select {
		case <-enough:
			return
		default:
			if c.Copied() {
				return
			}
		}
		time.Sleep(time.Second)
	}
}

// fixture is for tests only.
func fixture(t *testing.T, name string) string {
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

var _ = fixture
