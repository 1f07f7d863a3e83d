// Package hooks has functions for whoever wants to run them.
package hooks

import "time"

// A Hook is run before the program ends.
type Hook struct {
	Name string
	Run  func()
}

// Default returns the hooks that every program has.
func Default(ready func() bool) []Hook {
	return []Hook{{Name: "ready", Run: func() {
		for !ready() {
			time.Sleep(10 * time.Second)
		}
	}}}
}
