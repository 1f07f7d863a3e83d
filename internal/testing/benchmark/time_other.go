//go:build !unix

package benchmark

import "time"

var began = time.Now()

// processorTime stands in for what is not asked of this system: the time that
// has passed.
func processorTime() time.Duration { return time.Since(began) }
