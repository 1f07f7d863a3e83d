package cache

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestBound: of a cache that is too large, the entries go that were not used for
// longest. It does not look again within an hour.
func TestBound(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := In(dir)
	keys := make([]Key, 3)
	for i := range keys {
		h := c.Hash("test")
		h.Text(strings.Repeat("x", i))
		keys[i] = h.Sum()
		c.Put(keys[i], bytes.Repeat([]byte{byte(i)}, 1000))
	}
	all, err := files(dir)
	if err != nil || len(all) != 6 {
		t.Fatalf("%d files, %v", len(all), err)
	}
	now := time.Now()
	for _, f := range all {
		if f.size != 1000 {
			continue
		}
		data, err := os.ReadFile(f.path)
		if err != nil {
			t.Fatal(err)
		}
		// Sparse, so that the test needs no space.
		if err := os.Truncate(f.path, MaxSize/2); err != nil {
			t.Fatal(err)
		}
		age := time.Duration(data[0]+1) * 24 * time.Hour
		if err := os.Chtimes(f.path, now.Add(-age), now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	bound(dir, now)
	s, err := StatsOf(dir)
	if err != nil || s.Size > wantedSize || s.Size < MaxSize/2 {
		t.Errorf("%d bytes left, %v", s.Size, err)
	}
	left, _ := files(dir)
	for _, f := range left {
		if f.size > 1000 {
			if data, _ := os.ReadFile(f.path); data[0] != 0 {
				t.Errorf("left is the output that was used %d days ago", data[0]+1)
			}
		}
	}

	big := filepath.Join(dir, "00", strings.Repeat("0", 64)+"-d")
	if err := os.WriteFile(big, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(big, 2*MaxSize); err != nil {
		t.Fatal(err)
	}
	bound(dir, now.Add(time.Minute))
	if _, err := os.Stat(big); err != nil {
		t.Error("it looks again within an hour")
	}
	bound(dir, now.Add(2*time.Hour))
	if _, err := os.Stat(big); err == nil {
		t.Error("it does not look again after an hour")
	}
}

// TestClear: only files that a cache has written go, whatever else is there.
func TestClear(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := In(dir)
	h := c.Hash("test")
	key := h.Sum()
	c.Put(key, []byte("data"))
	c.Trim()
	if s, err := StatsOf(dir); err != nil || s.Entries != 1 || s.Size < 4 {
		t.Errorf("%+v, %v", s, err)
	}
	others := []string{"README", "ab/notes.txt", "ab/" + strings.Repeat("0", 63) + "-a", "notes/" + strings.Repeat("0", 64) + "-a"}
	for _, name := range others {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte("mine"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := Clear(dir); err != nil {
		t.Fatal(err)
	}
	var left []string
	filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() {
			rel, _ := filepath.Rel(dir, path)
			left = append(left, filepath.ToSlash(rel))
		}
		return nil
	})
	if len(left) != len(others) {
		t.Errorf("left: %q", left)
	}
	if _, err := os.Stat(filepath.Join(dir, "00")); err == nil {
		t.Error("an empty directory is left")
	}
	if _, ok := c.Get(key); ok {
		t.Error("an entry is left")
	}
	if err := Clear(filepath.Join(dir, "nosuch")); err != nil {
		t.Errorf("no directory: %v", err)
	}
}
