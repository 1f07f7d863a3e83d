package cache_test

import (
	"bytes"
	"strconv"
	"testing"

	"github.com/operatorvet/operatorvet/internal/run/cache"
	"github.com/operatorvet/operatorvet/internal/testing/benchmark"
)

// BenchmarkGet gets 500 entries of 4 KiB.
func BenchmarkGet(b *testing.B) {
	c := cache.In(b.TempDir())
	if c == nil {
		b.Fatal("no cache")
	}
	var keys []cache.Key
	for i := range 500 {
		h := c.Hash("benchmark")
		h.Text(strconv.Itoa(i))
		keys = append(keys, h.Sum())
		c.Put(keys[i], bytes.Repeat([]byte{byte(i)}, 4<<10))
	}
	benchmark.Func(b, func() {
		for _, key := range keys {
			if _, ok := c.Get(key); !ok {
				b.Fatal("an entry is not there")
			}
		}
	})
}
