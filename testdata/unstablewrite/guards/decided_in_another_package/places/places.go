// Package places knows which namespaces are special, and what the process has seen.
package places

import (
	"os"
	"strings"
)

var announced bool

// Special reports whether the environment names the namespace.
func Special(namespace string) bool {
	for _, name := range strings.Split(os.Getenv("SPECIAL_NAMESPACES"), ",") {
		if name == namespace {
			return true
		}
	}
	return false
}

// Announced reports whether something was announced since the process began.
func Announced() bool { return announced }

// Announce notes that something was announced.
func Announce() { announced = true }
