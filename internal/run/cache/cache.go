// Package cache keeps the results of a run about packages for later runs.
//
// It is the go command's build cache in a directory of its own. An entry is
// found by the hash of everything that it depends on, and a checksum shows
// damage. Several processes may write at once. Entries that were not used for
// some days are deleted, and before these the oldest ones of a cache that is too
// large. The cache is optional: an entry that cannot be read is
// computed again, and an entry that cannot be written is dropped.
package cache

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/cache"
)

// Variable is the environment variable that names the directory, or is "off".
const Variable = "OPERATORVET_CACHE"

// A Cache keeps entries. A nil *Cache keeps nothing.
type Cache struct {
	disk *cache.Cache
	dir  string
	base Key // of what all entries depend on
}

// A Key is the hash of what an entry depends on. The zero Key means unknown;
// there are no entries for it.
type Key [sha256.Size]byte

// Dir returns the directory that the environment names, or else one below the user's
// cache directory. It returns "" if neither is possible, or nothing is to be kept.
func Dir() string {
	dir := os.Getenv(Variable)
	if dir == "off" {
		return ""
	}
	if dir == "" {
		base, err := os.UserCacheDir()
		if err != nil {
			return ""
		}
		dir = filepath.Join(base, "operatorvet")
	}
	return dir
}

// Open returns the cache in [Dir], or nil if that is not possible.
func Open() *Cache {
	dir := Dir()
	if dir == "" {
		return nil
	}
	return In(dir)
}

// In returns the cache in a directory, which it makes if necessary. It returns
// nil if that is not possible.
func In(dir string) *Cache {
	tool, err := self()
	if err != nil || os.MkdirAll(dir, 0o777) != nil {
		return nil
	}
	disk, err := cache.Open(dir)
	if err != nil {
		return nil
	}
	c := &Cache{disk, dir, tool}
	return c.For(os.Getenv("GODEBUG")) // the type checker's, too
}

// self returns the hash of the running program, because another build of it may
// have other results.
var self = sync.OnceValues(func() (Key, error) {
	var key Key
	path, err := os.Executable()
	if err != nil {
		return key, err
	}
	f, err := os.Open(path)
	if err != nil {
		return key, err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return Key(h.Sum(nil)), err
})

// For returns the same cache for entries that also depend on the texts.
func (c *Cache) For(texts ...string) *Cache {
	if c == nil {
		return nil
	}
	h := c.Hash("base")
	h.Text(texts...)
	return &Cache{c.disk, c.dir, h.Sum()}
}

// Get returns the data last stored under the key.
func (c *Cache) Get(key Key) ([]byte, bool) {
	if c == nil || key == (Key{}) {
		return nil, false
	}
	data, _, err := c.disk.GetBytes(cache.ActionID(key))
	return data, err == nil
}

// Put stores data under the key, if it can.
func (c *Cache) Put(key Key, data []byte) {
	if c != nil && key != (Key{}) {
		c.disk.PutBytes(cache.ActionID(key), data) // see the package's comment
	}
}

// Trim removes entries that were not used for days, at most once a day, and those
// that make the cache too large, at most once an hour.
func (c *Cache) Trim() {
	if c != nil {
		c.disk.Trim() // see the package's comment
		bound(c.dir, time.Now())
	}
}

// A Hash computes a key from parts.
type Hash struct{ h hash.Hash }

// Hash returns a hash that depends on the tool and on the kind of the entries.
func (c *Cache) Hash(kind string) *Hash {
	h := &Hash{sha256.New()}
	h.Key(c.base)
	h.Text(kind)
	return h
}

// Text adds texts.
func (h *Hash) Text(texts ...string) {
	var length [8]byte
	for _, text := range texts {
		binary.LittleEndian.PutUint64(length[:], uint64(len(text)))
		h.h.Write(length[:])
		io.WriteString(h.h, text)
	}
}

// Key adds another key.
func (h *Hash) Key(key Key) { h.h.Write(key[:]) }

// Sum returns the key of everything added so far.
func (h *Hash) Sum() Key { return Key(h.h.Sum(nil)) }
