// Package window decides when Things are up.
package window

import (
	"time"

	"github.com/operatorvet/operatorvet/testdata/thingapi"
)

// Open says whether thing is in its first day at the time now.
func Open(thing *thingapi.Thing, now time.Time) bool {
	return now.Sub(thing.CreationTimestamp.Time) < 24*time.Hour
}
