// Package config holds the settings of the operator.
package config

import (
	"math/rand"
	"time"
)

// Config is what the environment says.
type Config struct {
	Resync time.Duration
}

// ResyncAfter returns when to look at an object again, a little later each time.
func (c *Config) ResyncAfter() time.Duration {
	if c.Resync == 0 {
		return 0
	}
	return c.Resync + time.Duration(rand.Int63n(int64(c.Resync/10)))
}
