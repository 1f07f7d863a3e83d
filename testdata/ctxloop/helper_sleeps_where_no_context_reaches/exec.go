// Package exec sleeps in a helper that nobody with a context calls.
package exec

import (
	"os/exec"
	"time"
)

// AwaitBinary returns when the binary is in the path.
func AwaitBinary(name string) {
	for {
		if _, err := exec.LookPath(name); err == nil {
			return
		}
		time.Sleep(10 * time.Second)
	}
}
