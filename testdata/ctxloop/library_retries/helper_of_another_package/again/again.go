// Package again has helpers that leave the loop to retries of client-go.
package again

import (
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/util/retry"
)

var backoff = wait.Backoff{Duration: time.Second, Factor: 1.5, Steps: 50, Cap: time.Minute}

// OnConflict calls f until there is no conflict.
func OnConflict(f func() error) error { return retry.RetryOnConflict(backoff, f) }

// OnError calls f until its error is none that is retriable.
func OnError(retriable func(error) bool, f func() error) error {
	return retry.OnError(backoff, retriable, f)
}
