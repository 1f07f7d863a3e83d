// Package attempt retries.
package attempt

import "time"

// Do calls f until it succeeds, n times at most, with pauses in between.
func Do(n int, pause time.Duration, f func() error) error {
	var err error
	for range n {
		if err = f(); err == nil {
			break
		}
		time.Sleep(pause)
	}
	return err
}
