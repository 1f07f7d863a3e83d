// Package recent remembers what was there recently.
package recent

import (
	"sync"
	"time"
)

// Recent remembers keys.
type Recent interface {
	Has(key string) bool
}

type recent struct {
	keys sync.Map
}

// New returns a memory that is emptied now and then, forever.
func New(every time.Duration) Recent {
	r := &recent{}
	go r.empty(every)
	return r
}

func (r *recent) empty(every time.Duration) {
	ticker := time.NewTicker(every)
	for {
		<-ticker.C
		r.keys.Clear()
	}
}

// Has says whether the key was there recently.
func (r *recent) Has(key string) bool {
	_, ok := r.keys.LoadOrStore(key, true)
	return ok
}
