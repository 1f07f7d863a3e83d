// Package helper waits half a minute at most, whoever calls it.
package helper

import "time"

func AwaitReady(ready func() bool) {
	for range 6 {
		if ready() {
			return
		}
		time.Sleep(5 * time.Second)
	}
}
