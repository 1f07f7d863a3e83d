package library

import (
	"go/types"
	"time"
)

// A Backoff is the content of a wait.Backoff.
type Backoff struct {
	Steps          int
	Duration       time.Duration
	Factor, Jitter float64
}

// BackoffOf returns what the package variable holds, if it is a wait.Backoff of
// client-go.
func BackoffOf(v types.Object) (Backoff, bool) {
	if v == nil || v.Pkg() == nil {
		return Backoff{}, false
	}
	b, ok := backoffs[v.Pkg().Path()+"."+v.Name()]
	return b, ok
}

var backoffs = map[string]Backoff{
	retryUtil + ".DefaultRetry":   {Steps: 5, Duration: 10 * time.Millisecond, Factor: 1, Jitter: 0.1},
	retryUtil + ".DefaultBackoff": {Steps: 4, Duration: 10 * time.Millisecond, Factor: 5, Jitter: 0.1},
}
