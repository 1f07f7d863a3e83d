//go:build unix

package benchmark

import (
	"syscall"
	"time"
)

// processorTime returns the processor time of this process and of the commands
// that it has run.
func processorTime() time.Duration {
	var sum int64
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var used syscall.Rusage
		if err := syscall.Getrusage(who, &used); err != nil {
			panic(err)
		}
		sum += used.Utime.Nano() + used.Stime.Nano()
	}
	return time.Duration(sum)
}
