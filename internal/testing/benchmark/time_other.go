//go:build !unix

package benchmark

import "time"

var began = time.Now()

// processorTime returns the elapsed time, because this system is not asked for
// the processor time.
func processorTime() time.Duration { return time.Since(began) }
