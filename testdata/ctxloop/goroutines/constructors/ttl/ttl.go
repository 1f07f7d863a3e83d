// Package ttl keeps keys for some time.
package ttl

import (
	"sync"
	"time"
)

const sweepInterval = 10 * time.Minute

// Cache forgets keys after some time.
type Cache[K comparable] struct {
	mu    sync.Mutex
	ttl   time.Duration
	added map[K]time.Time
}

// New returns a cache that is swept for as long as the process lives.
func New[K comparable](ttl time.Duration) *Cache[K] {
	c := &Cache[K]{ttl: ttl, added: make(map[K]time.Time)}
	go func() {
		for {
			time.Sleep(sweepInterval)
			c.sweep(time.Now())
		}
	}()
	return c
}

// Add keeps the key from now on.
func (c *Cache[K]) Add(key K) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.added[key] = time.Now()
}

func (c *Cache[K]) sweep(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for k, t := range c.added {
		if now.Sub(t) > c.ttl {
			delete(c.added, k)
		}
	}
}
