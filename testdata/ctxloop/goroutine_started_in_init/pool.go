// Package pool sweeps its connections for as long as the process lives. No
// context exists when that goroutine starts, and none reaches it.
package pool

import (
	"context"
	"sync"
	"time"
)

var connections = struct {
	sync.Mutex
	idle map[string]time.Time
}{idle: make(map[string]time.Time)}

func init() {
	go func() {
		for {
			time.Sleep(time.Minute)
			sweep()
		}
	}()
}

func sweep() {
	connections.Lock()
	defer connections.Unlock()
	for address, since := range connections.idle {
		if time.Since(since) > time.Hour {
			delete(connections.idle, address)
		}
	}
}

// Open marks the address as used.
func Open(ctx context.Context, address string) error {
	connections.Lock()
	defer connections.Unlock()
	connections.idle[address] = time.Now()
	return ctx.Err()
}
