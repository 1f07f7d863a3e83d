// Package attempt retries.
package attempt

import "time"

// Do calls f until it succeeds, n times at most, with pauses in between.
func Do[T any](n int, pause time.Duration, f func() (T, error)) (T, error) {
	var last error
	for range n {
		v, err := f()
		if err == nil {
			return v, nil
		}
		last = err
		time.Sleep(pause)
	}
	var zero T
	return zero, last
}
